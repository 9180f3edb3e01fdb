#include "parse/procfs/mountinfo.h"

#include <algorithm>
#include <array>
#include <optional>

#include "base/i18n.h"
#include "base/text.h"
#include "parse/procfs/device_number.h"

namespace gpuwhy {
namespace {

constexpr const char* kPath = "mountinfo";
constexpr std::string_view kHidden = "(hidden)";
// Parts of option keys. "key" also hides keyring and keyfile names, "user" also user_id: no loss.
constexpr std::array<std::string_view, 8> kSecretKeys = {"pass", "secret", "token", "key",
                                                         "cred", "sig",    "auth",  "user"};

bool IsOctal(char c) { return c >= '0' && c <= '7'; }

/// Splits at single blanks: a source may be an empty text, which leaves two blanks in a row.
std::vector<std::string_view> SplitAtBlanks(std::string_view line) {
  std::vector<std::string_view> fields;
  while (!line.empty()) fields.push_back(NextToken(line, ' '));
  return fields;
}

/// id parent major:minor root mount-point options [tag...] - type source [super-options]
std::optional<MountLine> ReadLine(std::string_view text) {
  const std::vector<std::string_view> fields = SplitAtBlanks(text);
  constexpr std::size_t kFirstTag = 6;
  if (fields.size() < kFirstTag) return std::nullopt;
  const auto dash = std::find(fields.begin() + kFirstTag, fields.end(), "-");
  // The source may be cut away where it is empty at a line's end; the type must be there.
  if (fields.end() - dash < 2) return std::nullopt;
  const std::optional<std::int32_t> mount_id = ParseNumber<std::int32_t>(fields[0]);
  const std::optional<std::int32_t> parent_id = ParseNumber<std::int32_t>(fields[1]);
  const std::optional<DeviceNumber> device = ParseDeviceNumber(fields[2]);
  if (!mount_id || !parent_id || !device) return std::nullopt;
  MountLine line;
  line.mount_id = *mount_id;
  line.parent_id = *parent_id;
  line.device = *device;
  line.root = UndoOctalEscapes(fields[3]);
  line.mount_point = UndoOctalEscapes(fields[4]);
  line.options = UndoOctalEscapes(fields[5]);
  for (auto tag = fields.begin() + kFirstTag; tag != dash; ++tag) {
    if (!line.propagation.empty()) line.propagation += ' ';
    line.propagation += *tag;
  }
  line.fs_type = UndoOctalEscapes(dash[1]);
  if (fields.end() - dash > 2) line.source = UndoOctalEscapes(dash[2]);
  if (fields.end() - dash > 3) line.super_options = UndoOctalEscapes(dash[3]);
  return line;
}

bool IsSecret(std::string_view key) {
  std::string lower(key);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return std::any_of(kSecretKeys.begin(), kSecretKeys.end(),
                     [&](std::string_view part) { return lower.find(part) != std::string::npos; });
}

}  // namespace

std::string UndoOctalEscapes(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool escape = text[i] == '\\' && text.size() - i > 3 && text[i + 1] >= '0' &&
                        text[i + 1] <= '3' && IsOctal(text[i + 2]) && IsOctal(text[i + 3]);
    if (!escape) {
      out += text[i];
      continue;
    }
    out +=
        static_cast<char>((text[i + 1] - '0') * 64 + (text[i + 2] - '0') * 8 + (text[i + 3] - '0'));
    i += 3;
  }
  return out;
}

std::string HideSecretOptions(std::string_view options) {
  std::string out;
  while (!options.empty()) {
    std::string_view value = NextToken(options, ',');
    const std::string_view whole = value;
    const std::string_view key = NextToken(value, '=');
    if (!out.empty()) out += ',';
    if (key.size() < whole.size() && IsSecret(key)) {
      out += key;
      out += '=';
      out += kHidden;
    } else {
      out += whole;
    }
  }
  return out;
}

std::string HideSecretsOfSource(std::string_view source) {
  const std::size_t slashes = source.find("//");
  if (slashes == std::string_view::npos) return std::string(source);
  const std::size_t start = slashes + 2;
  const std::string_view authority = source.substr(start, source.find('/', start) - start);
  const std::size_t at = authority.rfind('@');
  if (at == std::string_view::npos) return std::string(source);
  std::string out(source.substr(0, start));
  out += kHidden;
  out += source.substr(start + at);
  return out;
}

Result<Mountinfo> ParseMountinfo(std::string_view text) {
  Mountinfo info;
  LineReader lines(text);
  while (lines.Next()) {
    if (lines.Line().empty()) continue;
    std::optional<MountLine> line = ReadLine(lines.Line());
    if (line) {
      info.mounts.push_back(*std::move(line));
    } else {
      info.skipped.Add(lines.Number());
    }
  }
  if (info.mounts.empty() && info.skipped.count > 0) {
    return LineError(kPath, info.skipped.first, _("is not as the kernel writes it"));
  }
  return info;
}

}  // namespace gpuwhy
