// A diagnosis on its way out: rendered as asked for, written where asked for.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"
#include "cli/options.h"
#include "diagnose/diagnosis.h"
#include "report/text.h"

namespace gpuwhy {

/// Writes it to stdout or --output. Colours and the width are the terminal's, where stdout is one.
[[nodiscard]] Status Deliver(const Diagnosis& diagnosis, const RenderOptions& options);
/// Writes a result that is rendered already.
[[nodiscard]] Status DeliverText(const std::string& text, const RenderOptions& options);
/// Colours and width by where the text goes to.
[[nodiscard]] TextOptions TextFor(const RenderOptions& options);
/// Prints to stderr if that is a terminal or --verbose asks for it, and --quiet does not forbid it.
[[nodiscard]] std::function<void(const std::string&)> Progress(const RenderOptions& options);

}  // namespace gpuwhy
