#include "report/trace_words.h"

#include <array>
#include <cstddef>

#include "base/i18n.h"
#include "report/values.h"

namespace gpuwhy {

std::string PartText(trace::Part part) {
  constexpr std::array<const char*, trace::kParts> kTexts = {
      N_("device computes"),
      N_("communication, not hidden"),
      N_("copies to the device, not hidden"),
      N_("copies to the host, not hidden"),
      N_("copies on the device, not hidden"),
      N_("memset, not hidden"),
      N_("waits for input"),
      N_("waits for the host's own work (Python, framework)"),
      N_("waits for launches, or for launched work to begin"),
      N_("waits because the host synchronised"),
      N_("waits for memory allocation"),
      N_("waits for compilation"),
      N_("waits for another phase (checkpoint, validation)"),
      N_("waits, unexplained: nothing of the host was recorded")};
  return Tr(kTexts.at(static_cast<std::size_t>(part)));
}

std::string ChangeText(trace::Change change) {
  switch (change) {
    case trace::Change::kNoInputWait:
      return _("without waiting for input");
    case trace::Change::kCopiesOverlapped:
      return _("with copies overlapped");
    case trace::Change::kLaunchesBatched:
      return _("with launches batched (graphs)");
    case trace::Change::kCommunicationHidden:
      return _("with communication hidden");
    case trace::Change::kWithoutSlowestRank:
      return _("without the slowest rank");
    case trace::Change::kNoSynchronisation:
      return _("without the host waiting for the device");
  }
  return {};
}

std::string DurationText(std::int64_t ns) {
  return QuantityText(static_cast<double>(ns) / 1e9, Unit::kSeconds);
}

std::string ShortName(const std::string& name) {
  constexpr std::size_t kMost = 90;
  if (name.size() <= kMost) return name;
  std::size_t cut = kMost;
  while (cut > 0 && (static_cast<unsigned char>(name[cut]) & 0xC0U) == 0x80U) --cut;
  return name.substr(0, cut) + "...";
}

}  // namespace gpuwhy
