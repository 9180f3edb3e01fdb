// XProf's planes as they come, and the analysis behind the importer.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "trace/analysis.h"
#include "trace/importers/xplane.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gpuwhy::trace;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  (void)IsXplane(bytes);
  gpuwhy::Result<Timeline> timeline = ImportXplane(*MakeMemoryStream(bytes), "fuzz");
  if (timeline) (void)Analyze(*std::move(timeline), 0, Keep{true});
  return 0;
}
