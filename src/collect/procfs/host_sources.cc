#include "collect/host_sources.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>

#include "base/siphash.h"
#include "base/text.h"
#include "collect/procfs/block_source.h"
#include "collect/procfs/cpu_source.h"
#include "collect/procfs/mount_source.h"
#include "collect/procfs/psi_source.h"
#include "parse/procfs/auxv.h"
#include "parse/procfs/cpu_list.h"
#include "parse/procfs/elf_machine.h"
#include "parse/procfs/stat.h"
#include "parse/procfs/version.h"

namespace gpuwhy {
namespace {

/// Whole content, or nothing: what a host does not tell stays unknown.
std::string TextOf(FileTree& files, const char* path) {
  Result<std::string> text = files.Read(path);
  return text ? *std::move(text) : std::string();
}

std::string ReadKernel(FileTree& files) {
  const std::string release = TextOf(files, "/proc/sys/kernel/osrelease");
  if (!Trim(release).empty()) return std::string(Trim(release));
  const Result<std::string> version = ParseKernelRelease(TextOf(files, "/proc/version"));
  return version ? *version : std::string();
}

std::string ReadMachine(FileTree& files) {
  // Since Linux 6.1; before, the tool's own program says for which machine it was built.
  const std::string arch = TextOf(files, "/proc/sys/kernel/arch");
  if (!Trim(arch).empty()) return std::string(Trim(arch));
  const Result<std::unique_ptr<OpenFile>> program = files.Open("/proc/self/exe");
  if (!program) return {};
  std::array<char, 64> head{};
  const Result<std::size_t> length = (*program)->Read(head);
  if (!length) return {};
  const Reading<std::string> machine = ParseElfMachine({head.data(), *length});
  return machine ? *machine : std::string();
}

std::uint32_t ReadCpusOnline(FileTree& files) {
  const Result<std::vector<CpuRange>> online =
      ParseCpuList(TextOf(files, "/sys/devices/system/cpu/online"));
  if (online && !online->empty()) return CountCpus(*online);
  const Result<ProcStat> stat = ParseProcStat(TextOf(files, "/proc/stat"));
  return stat ? stat->cpus : 0;
}

/// The 128 bits of an id that is written as 32 hexadecimal digits, with or without dashes.
std::optional<SipHashKey> KeyFrom(std::string_view text) {
  std::string digits;
  for (const char c : Trim(text)) {
    if (c != '-') digits += c;
  }
  if (digits.size() != 32) return std::nullopt;
  const std::optional<std::uint64_t> high =
      ParseNumber<std::uint64_t>(std::string_view(digits).substr(0, 16), 16);
  const std::optional<std::uint64_t> low =
      ParseNumber<std::uint64_t>(std::string_view(digits).substr(16), 16);
  if (!high || !low) return std::nullopt;
  return SipHashKey{*high, *low};
}

/// Keyed by the machine id, which never leaves the host: without it nobody can try host names until
/// one fits. Containers often have none; the id of this boot then tells hosts apart, but two
/// recordings of one host agree only within a boot.
std::string ReadId(FileTree& files) {
  const std::string name = TextOf(files, "/proc/sys/kernel/hostname");
  std::optional<SipHashKey> key = KeyFrom(TextOf(files, "/etc/machine-id"));
  if (!key) key = KeyFrom(TextOf(files, "/proc/sys/kernel/random/boot_id"));
  if (!key || Trim(name).empty()) return {};
  return fmt::format("{:016x}", SipHash24(*key, Trim(name)));
}

}  // namespace

std::vector<std::unique_ptr<Source>> MakeHostSources(Host host, Interner& interner) {
  std::vector<std::unique_ptr<Source>> sources;
  sources.push_back(MakeCpuSource(host));
  sources.push_back(MakePsiSource(host));
  sources.push_back(MakeBlockSource(host, interner));
  sources.push_back(MakeMountSource(host, interner));
  return sources;
}

HostInfo ReadHostInfo(Host host) {
  HostInfo info;
  info.kernel = ReadKernel(host.files);
  info.machine = ReadMachine(host.files);
  info.cpus_online = ReadCpusOnline(host.files);
  // Where it can't be read the defaults stand: USER_HZ is 100 on every machine but alpha, and the
  // page 4096 bytes on x86-64.
  const AuxiliaryVector vector = ParseAuxv(TextOf(host.files, "/proc/self/auxv"));
  if (vector.page_size) info.page_size = *vector.page_size;
  if (vector.ticks_per_second) info.ticks_per_second = *vector.ticks_per_second;
  info.id = ReadId(host.files);
  return info;
}

}  // namespace gpuwhy
