#include "collect/inventory/processor_files.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/text.h"
#include "parse/live/processors.h"
#include "parse/procfs/cpu_list.h"

namespace gpuwhy {
namespace {

constexpr const char* kCpus = "/sys/devices/system/cpu";
constexpr std::size_t kMostBytes = std::size_t{16} << 10U;
constexpr std::size_t kMostPolicies = 1024;  // one a CPU with most drivers

class Files {
 public:
  Files(Host host, Interner& names, Capture& out) : host_(host), names_(names), out_(out) {}

  [[nodiscard]] std::string Text(const std::string& path) const {
    const Result<std::string> text = host_.files.Read(path, kMostBytes);
    return text ? std::string(Trim(*text)) : std::string();
  }
  void Keep(const std::string& path, const std::string& text) {
    if (text.empty()) return;
    out_.file_texts.push_back({host_.clock.Now(), names_.Intern(path), names_.Intern(text), true});
  }
  [[nodiscard]] Host& Of() { return host_; }

  /// The CPUs online.
  [[nodiscard]] std::vector<std::uint32_t> Online() const {
    std::vector<std::uint32_t> cpus;
    const Result<std::vector<CpuRange>> ranges = ParseCpuList(Text(std::string(kCpus) + "/online"));
    if (!ranges) return cpus;
    for (const CpuRange& range : *ranges) {
      for (std::uint32_t cpu = range.first; cpu <= range.last && cpus.size() < kMostPolicies; ++cpu)
        cpus.push_back(cpu);
    }
    return cpus;
  }

 private:
  Host host_;
  Interner& names_;
  Capture& out_;
};

/// The first CPU's block stands for all: a host with different ones has none with a GPU.
void KeepModel(Files& files) {
  const Result<std::unique_ptr<OpenFile>> file = files.Of().files.Open("/proc/cpuinfo");
  if (!file) return;
  std::array<char, kMostBytes> head{};
  const Result<std::size_t> length = (*file)->Read(head);
  if (length) files.Keep("/proc/cpuinfo", KnownCpuLines({head.data(), *length}));
}

/// One line a core: its package and the CPUs on it.
void KeepCores(Files& files) {
  std::set<std::uint32_t> told;
  std::string lines;
  for (const std::uint32_t cpu : files.Online()) {
    if (told.contains(cpu)) continue;
    const std::string folder = fmt::format("{}/cpu{}/topology/", kCpus, cpu);
    const std::string siblings = files.Text(folder + "thread_siblings_list");
    const Result<std::vector<CpuRange>> ranges = ParseCpuList(siblings);
    if (!ranges || ranges->empty()) return;  // a container without them
    for (const CpuRange& range : *ranges) {
      for (std::uint32_t one = range.first; one <= range.last && one - range.first < 64; ++one)
        told.insert(one);
    }
    lines += fmt::format("{} {}\n", files.Text(folder + "physical_package_id"), siblings);
  }
  files.Keep(std::string(kCpus) + "/cpu*/topology", lines);
}

/// One line a policy: name, governor, highest clock by its settings, highest clock of the core.
void KeepClocks(Files& files) {
  const std::string folder = std::string(kCpus) + "/cpufreq";
  const Result<std::vector<std::string>> policies = files.Of().files.List(folder);
  if (!policies) return;
  std::string lines;
  std::size_t kept = 0;
  for (const std::string& name : *policies) {
    if (!name.starts_with("policy") || kept++ == kMostPolicies) continue;
    const std::string policy = fmt::format("{}/{}/", folder, name);
    const std::string most = files.Text(policy + "scaling_max_freq");
    const std::string able = files.Text(policy + "cpuinfo_max_freq");
    const std::string governor = files.Text(policy + "scaling_governor");
    if (most.empty() || able.empty()) continue;
    lines += fmt::format("{} {} {} {}\n", name, governor.empty() ? "-" : governor, most, able);
  }
  files.Keep(folder + "/policy*", lines);
}

}  // namespace

void KeepProcessors(Host host, Interner& names, Capture& out) {
  Files files(host, names, out);
  KeepModel(files);
  KeepCores(files);
  KeepClocks(files);
  files.Keep("/proc/cmdline", KnownKernelWords(files.Text("/proc/cmdline")));
}

void KeepThrottles(Host host, Interner& names, Capture& out) {
  Files files(host, names, out);
  std::optional<std::uint64_t> sum;
  for (const std::uint32_t cpu : files.Online()) {
    const std::optional<std::uint64_t> count = ParseNumber<std::uint64_t>(
        files.Text(fmt::format("{}/cpu{}/thermal_throttle/core_throttle_count", kCpus, cpu)));
    if (!count) break;  // the processor has no such counter
    sum = sum.value_or(0) + *count;
  }
  if (sum) files.Keep(std::string(kCpus) + "/cpu*/thermal_throttle", fmt::format("{}\n", *sum));
}

}  // namespace gpuwhy
