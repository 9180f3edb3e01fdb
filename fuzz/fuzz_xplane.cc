// XProf's planes as they come, and the analysis behind the importer.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "trace/analysis.h"
#include "trace/importers/xplane.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  (void)gpuwhy::trace::IsXplane(bytes);
  gpuwhy::Result<gpuwhy::trace::Timeline> timeline =
      gpuwhy::trace::ImportXplane(*gpuwhy::trace::MakeMemoryStream(bytes), "fuzz");
  if (timeline) (void)gpuwhy::trace::Analyze(*std::move(timeline), 0, gpuwhy::trace::Keep{true});
  return 0;
}
