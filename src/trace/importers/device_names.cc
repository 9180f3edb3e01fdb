#include "trace/importers/device_names.h"

#include <charconv>

#include "base/text.h"
#include "trace/classify.h"

namespace gpuwhy::trace {
namespace {

Work DirectionByName(std::string_view name) {
  if (Holds(name, "H2D")) return Work::kH2D;
  if (Holds(name, "D2H")) return Work::kD2H;
  if (Holds(name, "D2D")) return Work::kD2D;
  if (Holds(name, "P2P")) return Work::kP2P;
  return CopyDirection(name);
}

}  // namespace

Work WorkByName(std::string_view name) {
  if (name.starts_with("Memset") || name.starts_with("memset") ||
      Holds(name, "__amd_rocclr_fillBuffer")) {
    return Work::kMemset;
  }
  if (name.starts_with("Memcpy") || name.starts_with("memcpy") || name.starts_with("MEMCPY"))
    return DirectionByName(name);
  if (Holds(name, "__amd_rocclr_copyBuffer")) return Work::kMemcpyOther;
  return IsCommunicationKernel(name) ? Work::kComm : Work::kCompute;
}

std::int64_t NumberBehind(std::string_view text, std::string_view mark) {
  const std::size_t at = text.find(mark);
  if (at == std::string_view::npos) return -1;
  text.remove_prefix(at + mark.size());
  std::int64_t number = -1;
  const auto [end, failed] = std::from_chars(text.data(), text.data() + text.size(), number);
  return failed == std::errc{} && number >= 0 ? number : -1;
}

std::uint64_t BytesOfDetails(std::string_view details) {
  std::int64_t bytes = NumberBehind(details, "num_bytes:");
  if (bytes < 0) bytes = NumberBehind(details, "size:");
  return bytes > 0 ? static_cast<std::uint64_t>(bytes) : 0;
}

HostMemory HostMemoryOfDetails(std::string_view details) {
  if (Holds(details, "pageable")) return HostMemory::kPageable;
  return Holds(details, "pinned") ? HostMemory::kPinned : HostMemory::kUnknown;
}

std::string_view LaunchName(std::string_view name, std::string_view details) {
  if (name.starts_with("cu") || name.starts_with("hip")) return name;
  switch (WorkByName(name)) {
    case Work::kMemset:
      return "cudaMemsetAsync";
    case Work::kCompute:
    case Work::kComm:
      return "cudaLaunchKernel";
    default:
      return Holds(details, "async:0") ? "cudaMemcpy" : "cudaMemcpyAsync";
  }
}

}  // namespace gpuwhy::trace
