#include "cli/deliver.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "base/text.h"
#include "cli/output.h"
#include "report/json.h"

namespace gpuwhy {
namespace {

// Longer lines are hard to read, shorter ones to lay out.
constexpr int kNarrowest = 60;
constexpr int kWidest = 120;

bool IsSet(const char* name) {
  // NOLINTNEXTLINE(concurrency-mt-unsafe): nothing here changes the environment once threads run
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0';
}

}  // namespace

TextOptions TextFor(const RenderOptions& options) {
  TextOptions text;
  text.verbose = options.verbose;
  text.answer_only = options.quiet;
  if (!options.output.empty() || isatty(STDOUT_FILENO) == 0) return text;
  text.color = !options.no_color && !IsSet("NO_COLOR");
  winsize size{};
  if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0) {
    text.width = std::clamp(static_cast<int>(size.ws_col), kNarrowest, kWidest);
  }
  return text;
}

Status Deliver(const Diagnosis& diagnosis, const RenderOptions& options) {
  if (options.format == ReportFormat::kJson) return DeliverText(RenderJson(diagnosis), options);
  return DeliverText(RenderText(diagnosis, TextFor(options)), options);
}

Status DeliverText(const std::string& text, const RenderOptions& options) {
  return options.output.empty() ? WriteStdout(text) : WriteFileWhole(options.output, text);
}

std::function<void(const std::string&)> Progress(const RenderOptions& options) {
  const bool wanted = !options.quiet && (options.verbose || isatty(STDERR_FILENO) != 0);
  if (!wanted) return nullptr;
  return [](const std::string& text) { Say(Printable(text) + " ..."); };
}

}  // namespace gpuwhy
