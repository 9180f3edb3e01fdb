#include "parse/live/surroundings.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "parse/procfs/pid_environ.h"
#include "parse/procfs/pid_status.h"

namespace gpuwhy {
namespace {

// The kernel's own number for NVIDIA's devices: Documentation/admin-guide/devices.txt.
constexpr std::string_view kNvidiaMajor = "195";

Reading<double> Limit(const Reading<std::uint64_t>& limit) {
  if (!limit) return limit.missing();
  if (*limit == std::numeric_limits<std::uint64_t>::max()) return {Why::kNotPresent, "unlimited"};
  return static_cast<double>(*limit);
}

/// Does a line of a version 1 group's list ("c 195:* rwm") let it read and write GPUs?
bool LetsGpusThrough(std::string_view line) {
  const std::vector<std::string_view> words = Fields(line);
  if (words.size() != 3) return false;
  std::string_view number = words[1];
  const std::string_view major = NextToken(number, ':');
  const bool kind = words[0] == "a" || (words[0] == "c" && (major == kNvidiaMajor || major == "*"));
  return kind && Holds(words[2], "r") && Holds(words[2], "w");
}

bool GpusAllowed(std::string_view list) {
  while (!list.empty()) {
    if (LetsGpusThrough(NextLine(list))) return true;
  }
  return false;
}

std::string OneLine(std::string_view names) {
  std::string all;
  while (!names.empty()) {
    const std::string_view name = Trim(NextLine(names));
    if (name.empty()) continue;
    if (!all.empty()) all += ' ';
    all += name;
  }
  return all;
}

/// The number behind a word at the start of a line.
std::optional<double> After(std::string_view text, std::string_view word) {
  while (!text.empty()) {
    const std::vector<std::string_view> words = Fields(NextLine(text));
    if (words.size() >= 2 && words[0] == word) return ParseDouble(words[1]);
  }
  return std::nullopt;
}

void TakeSpace(const std::string& path, std::string_view text, ProcessSurroundings& process) {
  const std::optional<double> size = After(text, "size");
  const std::optional<double> used = After(text, "used");
  if (!size || !used || *size <= 0 || *used < 0 || *used > 100) {
    if (!process.shm_size) process.shm_size = process.shm_used = Missing{Why::kFailed, path};
    return;
  }
  process.shm_size = *size;
  process.shm_used = std::max(process.shm_used.ValueOr(0), *used / 100);
}

void TakeVariables(const std::string& path, std::string_view text, ProcessSurroundings& process) {
  for (const Variable& variable : KnownVariables(text, '\n'))
    process.variables.push_back({path, variable.name + "=" + variable.value});
}

void Take(std::string_view name, const std::string& path, std::string_view text,
          ProcessSurroundings& process) {
  if (name == "environ" || name == "root/etc/nccl.conf") {
    TakeVariables(path, text, process);
  } else if (name == "limits") {
    process.locked_limit = Limit(ParseLockedMemoryLimit(text));
    process.files_limit = Limit(ParseOpenFilesLimit(text));
  } else if (name == "root/dev") {
    process.gpu_files = OneLine(text);
  } else if (name == "devices.list") {
    process.gpus_allowed = GpusAllowed(text);
  } else if (name == "root/dev/shm") {
    TakeSpace(path, text, process);
  }
}

}  // namespace

void ReadSurroundings(const Capture& capture, Inventory& inventory) {
  std::map<std::int32_t, ProcessSurroundings> processes;
  for (const FileText& text : capture.file_texts) {
    const std::string& path = capture.Name(text.path);
    std::string_view name = path;
    constexpr std::string_view kFolder = "/proc/";
    if (!name.starts_with(kFolder)) continue;
    name.remove_prefix(kFolder.size());
    const std::optional<std::int32_t> pid = ParseNumber<std::int32_t>(NextToken(name, '/'));
    if (!pid || *pid <= 0) continue;
    ProcessSurroundings& process = processes[*pid];
    process.pid = *pid;
    if (text.read) {
      Take(name, path, capture.Name(text.text), process);
    } else if (name == "devices.list" && !process.gpus_allowed) {
      process.gpus_allowed = text.read.missing();
    }
  }
  for (auto& [pid, process] : processes) inventory.processes.push_back(std::move(process));
}

}  // namespace gpuwhy
