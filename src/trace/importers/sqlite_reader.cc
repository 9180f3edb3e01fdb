#include "trace/importers/sqlite_reader.h"

#include <algorithm>
#include <utility>

#include "base/i18n.h"

namespace gpuwhy::trace {
namespace {

struct Finalize {
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Statement = std::unique_ptr<sqlite3_stmt, Finalize>;

Statement Prepare(sqlite3* db, const std::string& sql) {
  sqlite3_stmt* statement = nullptr;
  sqlite3_prepare_v2(db, sql.c_str(), static_cast<int>(sql.size()), &statement, nullptr);
  return Statement(statement);
}

std::string_view ColumnText(sqlite3_stmt* statement, int column) {
  const unsigned char* text = sqlite3_column_text(statement, column);
  const int length = sqlite3_column_bytes(statement, column);
  return text == nullptr ? std::string_view()
                         : std::string_view(reinterpret_cast<const char*>(text),
                                            static_cast<std::size_t>(length));
}

// A file name as SQLite's URI wants it.
std::string UriOf(const std::string& path) {
  std::string uri = "file:";
  for (const char c : path) {
    const bool plain = c != '?' && c != '#' && c != '%';
    if (plain) {
      uri += c;
    } else {
      constexpr std::string_view kHex = "0123456789abcdef";
      const auto byte = static_cast<unsigned char>(c);
      uri += '%';
      uri += kHex[byte >> 4U];
      uri += kHex[byte & 15U];
    }
  }
  return uri + "?mode=ro&immutable=1";
}

}  // namespace

bool SqliteRow::Has(std::size_t column) const {
  const int place = places_[column];
  return place >= 0 && sqlite3_column_type(statement_, place) != SQLITE_NULL;
}

std::int64_t SqliteRow::Integer(std::size_t column) const {
  return places_[column] < 0 ? 0 : sqlite3_column_int64(statement_, places_[column]);
}

std::string_view SqliteRow::Text(std::size_t column) const {
  return places_[column] < 0 ? std::string_view() : ColumnText(statement_, places_[column]);
}

Result<SqliteFile> SqliteFile::Open(const std::string& path) {
  sqlite3* raw = nullptr;
  const int status =
      sqlite3_open_v2(UriOf(path).c_str(), &raw, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr);
  SqliteFile file(std::unique_ptr<sqlite3, Close>(raw), path);
  if (status != SQLITE_OK) return file.Failure(_("cannot open as SQLite"));
  // The schema is read on first use: a damaged or foreign file shows here, not in the middle of a
  // scan.
  const Statement probe = Prepare(raw, "SELECT count(*) FROM sqlite_master");
  if (!probe || sqlite3_step(probe.get()) != SQLITE_ROW)
    return file.Failure(_("not a readable SQLite file"));
  return file;
}

Error SqliteFile::Failure(const char* what) const {
  return {std::string(what) + ": " + sqlite3_errmsg(db_.get()), path_, 0};
}

std::vector<std::string> SqliteFile::Tables() const {
  std::vector<std::string> tables;
  const Statement list =
      Prepare(db_.get(), "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name");
  while (list && sqlite3_step(list.get()) == SQLITE_ROW)
    tables.emplace_back(ColumnText(list.get(), 0));
  return tables;
}

bool SqliteFile::HasTable(std::string_view table) const {
  const std::vector<std::string> tables = Tables();
  return std::find(tables.begin(), tables.end(), table) != tables.end();
}

std::vector<std::string> SqliteFile::ColumnsOf(const std::string& table) const {
  std::vector<std::string> columns;
  const Statement info = Prepare(db_.get(), "PRAGMA table_info(\"" + table + "\")");
  while (info && sqlite3_step(info.get()) == SQLITE_ROW)
    columns.emplace_back(ColumnText(info.get(), 1));
  return columns;
}

Status SqliteFile::Scan(const std::string& table, const std::vector<std::string>& columns,
                        const std::function<void(const SqliteRow&)>& take) const {
  const std::vector<std::string> present = ColumnsOf(table);
  std::vector<int> places;
  std::string list;
  int next = 0;
  for (const std::string& column : columns) {
    const bool there = std::find(present.begin(), present.end(), column) != present.end();
    places.push_back(there ? next++ : -1);
    if (there) list.append(list.empty() ? "" : ", ").append("\"").append(column).append("\"");
  }
  if (list.empty())
    return Error{Format(_("table {} has none of the expected columns"), table), path_, 0};
  const Statement scan = Prepare(db_.get(), "SELECT " + list + " FROM \"" + table + "\"");
  if (!scan) return Failure(table.c_str());
  const SqliteRow row(scan.get(), places);
  int status = SQLITE_ROW;
  while ((status = sqlite3_step(scan.get())) == SQLITE_ROW) take(row);
  if (status != SQLITE_DONE) return Failure(table.c_str());
  return Done{};
}

}  // namespace gpuwhy::trace
