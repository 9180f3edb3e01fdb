// The little of SQLite that the nsys importer needs: ordered scans by column name.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace gpuwhy::trace {

/// One row of a scan; columns by their place in the list that was asked for.
class SqliteRow {
 public:
  explicit SqliteRow(sqlite3_stmt* statement, const std::vector<int>& places)
      : statement_(statement), places_(places) {}
  /// Is the column in this schema, and not NULL here?
  [[nodiscard]] bool Has(std::size_t column) const;
  /// 0 where !Has().
  [[nodiscard]] std::int64_t Integer(std::size_t column) const;
  [[nodiscard]] std::string_view Text(std::size_t column) const;

 private:
  sqlite3_stmt* statement_;
  const std::vector<int>& places_;
};

class SqliteFile {
 public:
  static Result<SqliteFile> Open(const std::string& path);

  [[nodiscard]] std::vector<std::string> Tables() const;
  [[nodiscard]] bool HasTable(std::string_view table) const;
  /// Calls take for each row, in the order of the file. Columns that this schema lacks are absent
  /// in every row. Error: the file is damaged (what was read before has been taken).
  Status Scan(const std::string& table, const std::vector<std::string>& columns,
              const std::function<void(const SqliteRow&)>& take) const;

 private:
  struct Close {
    void operator()(sqlite3* db) const { sqlite3_close(db); }
  };
  SqliteFile(std::unique_ptr<sqlite3, Close> db, std::string path)
      : db_(std::move(db)), path_(std::move(path)) {}
  [[nodiscard]] std::vector<std::string> ColumnsOf(const std::string& table) const;
  [[nodiscard]] Error Failure(const char* what) const;

  std::unique_ptr<sqlite3, Close> db_;
  std::string path_;
};

}  // namespace gpuwhy::trace
