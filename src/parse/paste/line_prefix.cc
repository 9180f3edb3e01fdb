#include "parse/paste/line_prefix.h"

namespace gpuwhy {
namespace {

constexpr std::size_t kLongestName = 64;

/// Whether the line begins as `shape` does: '0' is a digit, 'A' a letter, all else itself.
bool HasShape(std::string_view line, std::string_view shape) {
  if (line.size() < shape.size()) return false;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const char c = line[i];
    const bool digit = c >= '0' && c <= '9';
    const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (shape[i] == '0' ? !digit : shape[i] == 'A' ? !letter : c != shape[i]) return false;
  }
  return true;
}

std::size_t DigitsAt(std::string_view line, std::size_t at) {
  std::size_t end = at;
  while (end < line.size() && line[end] >= '0' && line[end] <= '9') ++end;
  return end;
}

bool IsNameByte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
         c == '-' || c == '.' || c == '@';
}

std::size_t NameAt(std::string_view line, std::size_t at) {
  std::size_t end = at;
  while (end < line.size() && end - at < kLongestName && IsNameByte(line[end])) ++end;
  return end;
}

/// The blank after a prefix belongs to it. Tools that tag lines put one, or none.
std::size_t WithBlank(std::string_view line, std::size_t end) {
  return end < line.size() && line[end] == ' ' ? end + 1 : end;
}

std::size_t Rfc3339(std::string_view line) {
  constexpr std::string_view kStamp = "0000-00-00T00:00:00";
  if (!HasShape(line, kStamp)) return 0;
  std::size_t end = kStamp.size();
  if (end < line.size() && line[end] == '.') end = DigitsAt(line, end + 1);
  if (end < line.size() && line[end] == 'Z') {
    ++end;
  } else if (end < line.size() &&
             (HasShape(line.substr(end), "+00:00") || HasShape(line.substr(end), "-00:00"))) {
    end += 6;
  } else {
    return 0;
  }
  if (end == line.size()) return end;
  if (line[end] != ' ') return 0;
  ++end;
  for (const std::string_view stream : {"stdout F", "stderr F", "stdout P", "stderr P"}) {
    if (line.substr(end).starts_with(stream)) return WithBlank(line, end + stream.size());
  }
  return end;
}

std::size_t Journal(std::string_view line) {
  std::size_t at = 0;
  if (HasShape(line, "AAA 00 00:00:00 ") || HasShape(line, "AAA  0 00:00:00 ")) {
    at = 16;
  } else {
    return 0;
  }
  const std::size_t host = NameAt(line, at);
  if (host == at || host >= line.size() || line[host] != ' ') return 0;
  const std::size_t unit = NameAt(line, host + 1);
  // The readers of kernel messages want these lines whole.
  if (unit == host + 1 || line.substr(host + 1, unit - host - 1) == "kernel") return 0;
  std::size_t end = unit;
  if (end < line.size() && line[end] == '[') {
    end = DigitsAt(line, end + 1);
    if (end >= line.size() || line[end] != ']') return 0;
    ++end;
  }
  if (end >= line.size() || line[end] != ':') return 0;
  return WithBlank(line, end + 1);
}

std::size_t Rank(std::string_view line) {
  for (const std::string_view name : {"[rank", "[default", "[Rank "}) {
    if (!line.starts_with(name)) continue;
    const std::size_t end = DigitsAt(line, name.size());
    if (end == name.size() || !line.substr(end).starts_with("]:")) return 0;
    return WithBlank(line, end + 2);
  }
  if (line.starts_with("[1,")) {  // mpirun --tag-output
    const std::size_t end = DigitsAt(line, 3);
    for (const std::string_view stream : {"]<stdout>:", "]<stderr>:", "]<stddiag>:"}) {
      if (line.substr(end).starts_with(stream)) return WithBlank(line, end + stream.size());
    }
    return 0;
  }
  if (line.starts_with("(")) {  // "(RayTrainWorker pid=4242, ip=192.0.2.7) "
    const std::size_t end = line.substr(0, 128).find(") ");
    const std::size_t pid = line.substr(0, 128).find("pid=");
    return end != std::string_view::npos && pid < end ? end + 2 : 0;
  }
  // srun --label. An empty line keeps its label.
  const std::size_t start = line.find_first_not_of(' ');
  if (start > 4) return 0;  // npos too
  const std::size_t end = DigitsAt(line, start);
  if (end == start || end - start > 5 || end >= line.size() || line[end] != ':') return 0;
  if (end + 1 == line.size()) return line.size();
  return line[end + 1] == ' ' ? end + 2 : 0;
}

std::size_t Service(std::string_view line) {
  const std::size_t name = NameAt(line, 0);
  if (name == 0) return 0;
  std::size_t bar = name;
  while (bar < line.size() && bar < kLongestName && line[bar] == ' ') ++bar;
  if (bar == name || bar >= line.size() || line[bar] != '|') return 0;
  return WithBlank(line, bar + 1);
}

}  // namespace

std::size_t PrefixLength(LinePrefix prefix, std::string_view line) {
  switch (prefix) {
    case LinePrefix::kNone:
      return 0;
    case LinePrefix::kRfc3339:
      return Rfc3339(line);
    case LinePrefix::kJournal:
      return Journal(line);
    case LinePrefix::kRank:
      return Rank(line);
    case LinePrefix::kService:
      return Service(line);
  }
  return 0;
}

}  // namespace gpuwhy
