#include "parse/procfs/pid_maps.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/text.h"

namespace gpuwhy {
namespace {

std::optional<std::uint64_t> Hex(std::string_view text) {
  return ParseNumber<std::uint64_t>(text, 16);
}

// start-end perms offset major:minor inode [path]; the path begins behind a run of spaces and may
// hold spaces itself.
std::optional<SharedMapping> ParseLine(std::string_view line) {
  std::string_view range = NextToken(line, ' ');
  NextToken(line, ' ');  // the caller looked at the permissions
  const std::optional<std::uint64_t> start = Hex(NextToken(range, '-'));
  const std::optional<std::uint64_t> end = Hex(range);
  const std::optional<std::uint64_t> offset = Hex(NextToken(line, ' '));
  std::string_view device = NextToken(line, ' ');
  const std::optional<std::uint32_t> major = ParseNumber<std::uint32_t>(NextToken(device, ':'), 16);
  const std::optional<std::uint32_t> minor = ParseNumber<std::uint32_t>(device, 16);
  const std::optional<std::uint64_t> inode = ParseNumber<std::uint64_t>(NextToken(line, ' '));
  if (!start || !end || !offset || !major || !minor || !inode || *end <= *start)
    return std::nullopt;
  while (!line.empty() && line.front() == ' ') line.remove_prefix(1);
  return SharedMapping{*start, *end, *offset, {*major, *minor}, *inode, std::string(line)};
}

// "libcuda.so", "libcuda.so.1", "libcuda.so.550.54": not libcudart, which a CPU-only process loads
// too.
bool IsCudaDriver(std::string_view line) {
  return line.find("/libcuda.so") != std::string_view::npos;
}

// By the names that the wheels and packages of each carry; the CUDA libraries count too, because a
// process that maps them means to use a device, whether or not it has one.
bool IsFramework(std::string_view line) {
  constexpr std::array<std::string_view, 12> kLibraries = {
      "/libtorch",      "/libc10.so", "/libtensorflow", "/_pywrap_tensorflow",
      "/xla_extension", "/libjax",    "/libpaddle",     "/libonnxruntime",
      "/libcudart",     "/libcublas", "/libcudnn",      "/libnccl"};
  return std::any_of(kLibraries.begin(), kLibraries.end(), [line](std::string_view library) {
    return line.find(library) != std::string_view::npos;
  });
}

}  // namespace

PidMaps ParsePidMaps(std::string_view text) {
  PidMaps maps;
  while (!text.empty()) {
    const std::string_view line = NextToken(text, '\n');
    maps.cuda = maps.cuda || IsCudaDriver(line);
    maps.framework = maps.framework || IsFramework(line);
    const std::size_t perms = line.find(' ');
    if (perms == std::string_view::npos || perms + 4 >= line.size() || line[perms + 4] != 's')
      continue;
    if (std::optional<SharedMapping> mapping = ParseLine(line))
      maps.shared.push_back(std::move(*mapping));
  }
  return maps;
}

}  // namespace gpuwhy
