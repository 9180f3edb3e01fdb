// A Chrome trace as it comes: whole files and tiny chunks, plain and compressed, and the analysis
// behind the importer.
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string_view>

#include "trace/anatomy.h"
#include "trace/importers/kineto.h"
#include "trace/quality.h"

namespace gpuwhy::trace {
namespace {

void Import(ByteStream& stream, std::size_t chunk) {
  Result<Timeline> timeline = ImportKineto(stream, "fuzz", chunk);
  if (!timeline) return;
  CheckQuality(*timeline);
  const WorkSets sets = SetsOf(*timeline, nullptr);
  const Parts parts = Anatomist(*timeline).Split(sets, sets.span, nullptr, nullptr);
  if (std::accumulate(parts.begin(), parts.end(), std::int64_t{0}) != sets.span.Length())
    __builtin_trap();
}

void ImportAll(std::string_view text) {
  if (IsGzip(text)) {
    Import(*MakeGzipStream(MakeMemoryStream(text)), kJsonChunk);
    return;
  }
  Import(*MakeMemoryStream(text), kJsonChunk);
  Import(*MakeMemoryStream(text), 64);
}

}  // namespace
}  // namespace gpuwhy::trace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  gpuwhy::trace::ImportAll({reinterpret_cast<const char*>(data), size});
  return 0;
}
