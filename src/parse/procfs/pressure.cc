#include "parse/procfs/pressure.h"

#include <optional>

#include "base/i18n.h"
#include "base/text.h"
#include "parse/line_reader.h"

namespace gpuwhy {
namespace {

Reading<double> Average(std::string_view text) {
  const std::optional<double> value = ParseDouble(text);
  if (!value || *value < 0) return Missing{Why::kFailed, ""};
  return *value;
}

/// The fields "key=value" behind "some" or "full"; other keys are passed over.
std::optional<PressureLine> ReadLine(std::string_view fields) {
  PressureLine line;
  std::optional<std::uint64_t> total;
  for (std::string_view value : Fields(fields)) {
    const std::string_view key = NextToken(value, '=');
    if (key == "avg10") line.avg10 = Average(value);
    if (key == "avg60") line.avg60 = Average(value);
    if (key == "avg300") line.avg300 = Average(value);
    if (key == "total") total = ParseNumber<std::uint64_t>(value);
  }
  if (!total) return std::nullopt;
  line.total_us = *total;
  return line;
}

}  // namespace

Result<Pressure> ParsePressure(std::string_view text, const char* path) {
  Pressure pressure;
  pressure.full = Missing{Why::kNotSupported, std::string(path) + ": full"};
  bool has_some = false;
  LineReader lines(text);
  while (lines.Next()) {
    std::string_view rest = lines.Line();
    const std::string_view kind = NextToken(rest, ' ');
    if (kind != "some" && kind != "full") continue;
    const std::optional<PressureLine> line = ReadLine(rest);
    if (!line) return LineError(path, lines.Number(), _("has no total"));
    if (kind == "full") {
      pressure.full = *line;
    } else {
      pressure.some = *line;
      has_some = true;
    }
  }
  if (!has_some) return Error{_("has no line 'some'"), path, 0};
  return pressure;
}

PsiSample ToSample(PsiResource resource, const Pressure& pressure) {
  PsiSample sample;
  sample.resource = resource;
  sample.some_us = pressure.some.total_us;
  if (pressure.full) {
    sample.full_us = pressure.full->total_us;
  } else {
    sample.full_us = pressure.full.missing();
  }
  return sample;
}

}  // namespace gpuwhy
