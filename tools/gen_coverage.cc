// Writes coverage_table.inc: which findings of the catalogue have a rule, inputs that show them and
// inputs that nearly do. Usage: gen_coverage SOURCE_FOLDER OUT.inc. Runs at build time only.
//   rule files  src/diagnose/rules/**/x_y.cc makes the finding x.y
//   cases       tests/findings/*/expect.toml with fires = [ids] and near_miss = [ids]
//   scenarios   tests/scenarios/*.toml: the one verdict it allows, what must be present, and ids it
//   names as never
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include <toml++/toml.h>

namespace {

namespace fs = std::filesystem;

struct Case {
  std::string name, source;
};
struct Row {
  std::vector<std::string> files;
  std::vector<Case> fires, near_misses;
};
using Table = std::map<std::string, Row>;

class Generator {
 public:
  explicit Generator(fs::path root) : root_(std::move(root)) {}

  void Read() {
    const toml::table findings = toml::parse_file((root_ / "src/diagnose/findings.toml").string());
    // "[input.batch-small]" is a table "batch-small" inside a table "input".
    for (const auto& [family, members] : findings) {
      for (const auto& [name, entry] : *members.as_table())
        table_[std::string(family.str()) + "." + std::string(name.str())];
    }
    ReadRules();
    for (const fs::path& folder : Sorted(root_ / "tests/findings")) {
      if (fs::is_directory(folder)) ReadCase(folder);
    }
    for (const fs::path& file : Sorted(root_ / "tests/scenarios")) {
      if (file.extension() == ".toml") ReadScenario(file);
    }
  }

  [[nodiscard]] const Table& Rows() const { return table_; }
  [[nodiscard]] bool Failed() const { return failed_; }

 private:
  static std::vector<fs::path> Sorted(const fs::path& folder) {
    std::vector<fs::path> paths;
    if (!fs::is_directory(folder)) return paths;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
      paths.push_back(entry.path());
    std::sort(paths.begin(), paths.end());
    return paths;
  }

  static std::string StemOf(std::string id) {
    std::replace(id.begin(), id.end(), '.', '_');
    std::replace(id.begin(), id.end(), '-', '_');
    return id;
  }

  void ReadRules() {
    const fs::path rules = root_ / "src/diagnose/rules";
    std::vector<fs::path> files;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(rules)) {
      if (entry.path().extension() == ".cc") files.push_back(entry.path());
    }
    std::sort(files.begin(), files.end());
    for (auto& [id, row] : table_) {
      for (const fs::path& file : files) {
        if (file.stem() == StemOf(id)) row.files.push_back(fs::relative(file, rules).string());
      }
    }
  }

  // What an input is, its name tells; the test that runs it compares with what gpuwhy says.
  static std::string SourceOf(const fs::path& folder) {
    for (const fs::path& file : Sorted(folder)) {
      if (file.extension() == ".gpuwhy") return "kLive";
      if (file.extension() == ".json" || file.extension() == ".gz") return "kTrace";
    }
    return "kPasted";
  }

  void ReadCase(const fs::path& folder) {
    const toml::table expect = toml::parse_file((folder / "expect.toml").string());
    const Case one{"findings/" + folder.filename().string(), SourceOf(folder)};
    Add(expect["fires"].as_array(), one, &Row::fires);
    Add(expect["near_miss"].as_array(), one, &Row::near_misses);
  }

  void ReadScenario(const fs::path& file) {
    const toml::table scenario = toml::parse_file(file.string());
    const toml::table* expect = scenario["expect"].as_table();
    if (expect == nullptr) return;
    const Case one{"scenarios/" + file.filename().string(), "kLive"};
    const toml::array* verdict = (*expect)["verdict"].as_array();
    if (verdict != nullptr && verdict->size() == 1 &&
        verdict->get(0)->value_or("") != std::string("none"))
      Add(verdict, one, &Row::fires);
    Add((*expect)["present"].as_array(), one, &Row::fires);
    // A family is no near miss of each of its members.
    if (const toml::array* never = (*expect)["never"].as_array()) {
      for (const toml::node& item : *never) {
        const auto found = table_.find(item.value_or(std::string()));
        if (found != table_.end()) found->second.near_misses.push_back(one);
      }
    }
  }

  void Add(const toml::array* ids, const Case& one, std::vector<Case> Row::*where) {
    if (ids == nullptr) return;
    for (const toml::node& item : *ids) {
      const auto found = table_.find(item.value_or(std::string()));
      if (found == table_.end()) {
        std::cerr << one.name << ": no finding is called " << item.value_or(std::string()) << "\n";
        failed_ = true;
        continue;
      }
      (found->second.*where).push_back(one);
    }
  }

  fs::path root_;
  Table table_;
  bool failed_ = false;
};

std::string WriteCases(const std::vector<Case>& cases, const std::string& name, std::ostream& out) {
  if (cases.empty()) return "{}";
  out << "constexpr CoverageCase " << name << "[] = {";
  for (const Case& one : cases)
    out << "{\"" << one.name << "\", EvidenceSource::" << one.source << "}, ";
  out << "};\n";
  return name;
}

std::string WriteFiles(const std::vector<std::string>& files, const std::string& name,
                       std::ostream& out) {
  if (files.empty()) return "{}";
  out << "constexpr std::string_view " << name << "[] = {";
  for (const std::string& file : files) out << "\"" << file << "\", ";
  out << "};\n";
  return name;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  Generator generator{argv[1]};
  try {
    generator.Read();
  } catch (const std::exception& failed) {
    std::cerr << failed.what() << "\n";
    return 1;
  }
  std::ofstream out(argv[2]);
  std::string rows;
  std::size_t number = 0;
  for (const auto& [id, row] : generator.Rows()) {
    const std::string suffix = std::to_string(number++);
    rows += "{\"" + id + "\", " + WriteFiles(row.files, "kFiles" + suffix, out) + ", ";
    rows += WriteCases(row.fires, "kFires" + suffix, out) + ", ";
    rows += WriteCases(row.near_misses, "kNear" + suffix, out) + "},\n";
  }
  out << "constexpr CoverageRow kCoverage[] = {\n" << rows << "};\n";
  return generator.Failed() || !out.good() ? 1 : 0;
}
