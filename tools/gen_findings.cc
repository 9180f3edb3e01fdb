// Writes finding_table.inc from findings.toml: usage gen_findings IN.toml OUT.inc. Runs at build
// time only.
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <string_view>

#include <toml++/toml.h>

namespace {

// The one-line meaning of an id is the comment on its table's line: "[id]   # meaning".
std::string MeaningOf(const std::string& text, const std::string& id) {
  const std::size_t at = text.find("\n[" + id + "]");
  if (at == std::string::npos) return {};
  const std::size_t end = text.find('\n', at + 1);
  const std::string line = text.substr(at + 1, end - at - 1);
  const std::size_t hash = line.find('#');
  if (hash == std::string::npos) return {};
  const std::size_t start = line.find_first_not_of(' ', hash + 1);
  return start == std::string::npos ? std::string() : line.substr(start);
}

std::string Quote(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    out += c;
  }
  return out + "\"";
}

std::string Enumerator(std::string word) {
  word.front() = static_cast<char>(word.front() - 'a' + 'A');
  return "k" + word;
}

std::string List(const toml::table& entry, const char* key, const std::string& name,
                 std::ostream& out) {
  const toml::array* array = entry[key].as_array();
  if (array == nullptr || array->empty()) return "{}";
  out << "constexpr std::string_view " << name << "[] = {";
  for (const toml::node& item : *array) out << Quote(item.value_or(std::string())) << ", ";
  out << "};\n";
  return name;
}

void Row(const toml::table& entry, const std::string& id, const std::string& meaning, int number,
         std::ostream& lists, std::ostream& rows) {
  const auto word = [&](const char* key) { return entry[key].value_or(std::string("?")); };
  const std::string causes = List(entry, "explained_by", "kCauses" + std::to_string(number), lists);
  const std::string refs = List(entry, "refs", "kRefs" + std::to_string(number), lists);
  rows << "{" << Quote(id) << ", " << Quote(word("resource")) << ", " << entry["stage"].value_or(-1)
       << ", FindingKind::" << Enumerator(word("kind"))
       << ", Effect::" << Enumerator(word("effect")) << ", Action::" << Enumerator(word("action"))
       << ", " << causes << ", " << refs << ", N_(" << Quote(meaning) << ")},\n";
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  std::ifstream in(argv[1]);
  const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
  try {
    const toml::table root = toml::parse(text, std::string_view(argv[1]));
    std::ofstream out(argv[2]);
    std::ostringstream rows;
    int count = 0;
    // "[input.batch-small]" is a table "batch-small" inside a table "input".
    for (const auto& [family, families] : root) {
      for (const auto& [name, value] : *families.as_table()) {
        const std::string id = std::string(family.str()) + "." + std::string(name.str());
        Row(*value.as_table(), id, MeaningOf(text, id), count++, out, rows);
      }
    }
    out << "constexpr FindingInfo kFindings[] = {\n" << rows.str() << "};\n";
    return out.good() ? 0 : 1;
  } catch (const toml::parse_error& error) {
    std::cerr << argv[1] << ":" << error.source().begin.line << ": " << error.description() << "\n";
    return 1;
  }
}
