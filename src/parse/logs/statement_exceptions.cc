#include <algorithm>

#include "base/text.h"
#include "parse/logs/statement_table.h"

namespace gpuwhy {
namespace {

using enum Statement;

struct Exception {
  Statement statement;
  std::string_view words;
};

// Words that stand in lines with a statement's own words and take its meaning away.
constexpr Exception kExceptions[] = {
    {kLibraryMissing, "libnvinfer"},
    {kLibraryMissing, "libcupti"},
    {kLibraryMissing, "libnvToolsExt"},
    {kLibraryMissing, "libcusparseLt"},
    {kLibraryMissing, "NCCL INFO"},
    {kModuleBuildFailed, "nvidia-peermem"},
    {kModuleBuildFailed, "nvidia_peermem"},
    {kModuleBuildFailed, "nvidia-fs"},
    {kKeyRejected, "vbox"},
    {kKeyRejected, "zfs"},
    {kKeyRejected, "evdi"},
    {kKeyRejected, "wireguard"},
    {kKeyRejected, "mlx"},
    {kSwitchBoard, "H200 NVL"},
    {kSwitchBoard, "V100-SXM2"},
    {kMemcgKill, "\"OOMKilled\": false"},
    {kMemcgKill, "OOMKilled:false"},
    {kConnectTimeout, "refused, retrying"},
    {kPeerUnreachable, "NCCL INFO"},
    {kPeerUnreachable, "retrying"},
    {kCudaBroken, "ould not synchronize"},
    {kCudaBroken, "rror polling"},
    {kShmTooSmall, "may be insufficient"},
    {kCrashed, "SIGTERM"},
    {kCrashed, "SIGINT"},
    {kRecompiling, "config.recompile_limit ="},
    {kRecompiling, "config.cache_size_limit ="},
    {kIbDisabled, "export NCCL_IB_DISABLE=1 "},
};

// Words of advice and documentation: whoever uses them tells what a message would mean.
constexpr std::string_view kAdvice[] = {
    "if you see",  "If you see",      "f you get",        "indicates that the", "for example",
    "For example", "means that",      "how to fix",       "How to fix",         "in case of",
    "In case of",  "may encounter",   "can be caused by", "is raised when",     "will fail with",
    "known issue", "troubleshooting",
};

/// Statements whose own messages hold such words, or that stand in listings.
bool TakesAdvice(Statement statement) {
  return statement != kGraphicsCard && statement != kSwitchBoard && statement != kShmTooSmall &&
         statement != kCudaBroken && statement != kLoaderWorkersFew && statement != kPartlyOnCpu;
}

/// The name that the kernel gives for a process: "python3[2211]: segfault at". Empty where none is
/// told.
std::string_view ProgramOf(std::string_view line) {
  const std::size_t at = line.find("]: segfault at ");
  const std::size_t open = at == std::string_view::npos ? at : line.rfind('[', at);
  if (open == std::string_view::npos) return {};
  const std::size_t before = line.find_last_of(" \t", open);
  return line.substr(before + 1, open - before - 1);
}

/// The kernel tells of every program of the host that crashes. Which of them belong to a job on a
/// GPU nobody says: by the name it is one that runs models.
bool IsOfAnotherProgram(Statement statement, std::string_view line) {
  constexpr std::string_view kOfJobs[] = {"python", "pt_",   "ray",   "torch", "julia", "triton",
                                          "vllm",   "train", "infer", "bench", "cuda",  "gpu",
                                          "nccl",   "llama", "a.out", "main"};
  if (statement != kCrashed) return false;
  const std::string_view program = ProgramOf(line);
  if (program.empty()) return false;
  return std::none_of(std::begin(kOfJobs), std::end(kOfJobs),
                      [&](std::string_view name) { return Holds(program, name); });
}

}  // namespace

bool IsAdvice(std::string_view line) {
  return std::any_of(std::begin(kAdvice), std::end(kAdvice),
                     [&](std::string_view words) { return Holds(line, words); });
}

bool IsException(Statement statement, std::string_view line) {
  const bool excepted = std::any_of(
      std::begin(kExceptions), std::end(kExceptions),
      [&](const Exception& one) { return one.statement == statement && Holds(line, one.words); });
  if (excepted || IsOfAnotherProgram(statement, line)) return true;
  return TakesAdvice(statement) && IsAdvice(line);
}

}  // namespace gpuwhy
