#include "parse/logs/service_state.h"

#include <algorithm>
#include <cctype>
#include <functional>
#include <optional>
#include <set>
#include <string>

#include "base/text.h"
#include "parse/line_reader.h"
#include "parse/logs/number_series.h"

namespace gpuwhy {
namespace {

constexpr std::size_t kMostBytes = std::size_t{256} << 10U;

StatementSeen Seen(Statement statement, std::vector<QuotedLine> quotes) {
  StatementSeen seen;
  seen.statement = statement;
  seen.count = 1;
  seen.quotes = std::move(quotes);
  return seen;
}

/// "6.5.0-17-generic", alone in its line or in what uname -a prints.
std::string_view KernelIn(std::string_view line) {
  std::string_view rest = Trim(line);
  if (rest.starts_with("Linux ")) {
    const std::vector<std::string_view> words = Fields(rest);
    if (words.size() < 4) return {};
    rest = words[2];
  }
  const bool numbered = !rest.empty() && std::isdigit(static_cast<unsigned char>(rest[0])) != 0;
  const bool release = numbered && rest.find(' ') == std::string_view::npos &&
                       std::count(rest.begin(), rest.end(), '.') >= 2 && Holds(rest, "-");
  return release ? rest : std::string_view{};
}

/// "nvidia/535.129.03, 5.15.0-91-generic, x86_64: installed", and as older versions print it
/// "nvidia, 535.129.03, 5.15.0-91-generic, x86_64: installed": the kernel.
std::string_view KernelOfModule(std::string_view line) {
  line = Trim(line);
  if (!line.starts_with("nvidia") || !Holds(line, ": installed")) return {};
  const std::size_t colon = line.rfind(": installed");
  line = line.substr(0, colon);
  const std::size_t arch = line.rfind(", ");
  if (arch == std::string_view::npos) return {};
  line = line.substr(0, arch);
  const std::size_t kernel = line.rfind(", ");
  return kernel == std::string_view::npos ? std::string_view{} : Trim(line.substr(kernel + 2));
}

}  // namespace

std::vector<StatementSeen> FindStoppedServices(std::string_view text) {
  if (text.size() > kMostBytes || !Holds(text, "nvidia-fabricmanager.service - ")) return {};
  constexpr std::uint32_t kBelow = 8;
  std::optional<QuotedLine> service;
  LineReader lines(text);
  while (lines.Next()) {
    const std::string_view line = Trim(lines.Line());
    if (Holds(line, ".service - ")) {
      service.reset();
      if (Holds(line, "nvidia-fabricmanager.service - ")) service = Quote(lines.Number(), line);
    }
    if (!service || lines.Number() > service->line + kBelow) continue;
    if (line.starts_with("Active: inactive") || line.starts_with("Active: failed")) {
      return {Seen(Statement::kFabricManagerFailed, {*service, Quote(lines.Number(), line)})};
    }
  }
  return {};
}

std::vector<StatementSeen> FindModulesOfOtherKernels(std::string_view text) {
  if (text.size() > kMostBytes || !Holds(text, "uname") || !Holds(text, ": installed")) return {};
  std::string running;
  std::vector<QuotedLine> others;
  std::set<std::string, std::less<>> kernels;
  bool asked = false;
  LineReader lines(text);
  while (lines.Next()) {
    const std::string_view line = lines.Line();
    if (asked && running.empty()) running = std::string(KernelIn(line));
    asked = Holds(line, "uname -");
    const std::string_view kernel = KernelOfModule(line);
    if (kernel.empty()) continue;
    if (others.size() < 4) others.push_back(Quote(lines.Number(), line));
    kernels.emplace(kernel);
  }
  // The kernel may have been printed after the modules.
  if (running.empty() || others.empty() || kernels.contains(running)) return {};
  return {Seen(Statement::kModuleBuildFailed, others)};
}

}  // namespace gpuwhy
