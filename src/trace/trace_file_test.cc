#include "trace/trace_file.h"

#include <archive.h>
#include <archive_entry.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace gpuwhy::trace {
namespace {

const std::string kTrace =
    R"([{"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":1,"dur":2,"args":{}}])";

std::string Archive(bool zip, const std::vector<std::pair<std::string, std::string>>& members,
                    bool gzip = false) {
  std::string bytes(1 << 20, '\0');
  std::size_t used = 0;
  archive* out = archive_write_new();
  if (zip) {
    archive_write_set_format_zip(out);
  } else {
    archive_write_set_format_ustar(out);
  }
  if (gzip) archive_write_add_filter_gzip(out);
  EXPECT_EQ(archive_write_open_memory(out, bytes.data(), bytes.size(), &used), ARCHIVE_OK);
  for (const auto& [name, content] : members) {
    archive_entry* entry = archive_entry_new();
    archive_entry_set_pathname(entry, name.c_str());
    archive_entry_set_size(entry, static_cast<la_int64_t>(content.size()));
    archive_entry_set_filetype(entry, AE_IFREG);
    archive_entry_set_perm(entry, 0644);
    archive_write_header(out, entry);
    archive_write_data(out, content.data(), content.size());
    archive_entry_free(entry);
  }
  archive_write_close(out);
  archive_write_free(out);
  bytes.resize(used);
  return bytes;
}

struct Imported {
  std::vector<std::string> files;
  std::string error;
  std::vector<std::string> left_out;
};

Imported Import(const std::string& bytes) {
  Imported imported;
  const Result<std::vector<Error>> left_out =
      ImportTraceFile({"f", ""}, MakeMemoryStream(bytes), [&](const Timeline& t) {
        EXPECT_EQ(t.device.size(), 1U);
        imported.files.push_back(t.file);
      });
  if (!left_out.ok()) {
    imported.error = left_out.error().Text();
    return imported;
  }
  for (const Error& error : *left_out) imported.left_out.push_back(error.Text());
  return imported;
}

using Files = std::vector<std::string>;

TEST(TraceFile, IsRecognisedByItsContent) {
  EXPECT_EQ(Import(kTrace).files, Files{"f"});
  EXPECT_EQ(Import("\xef\xbb\xbf \n" + kTrace).files, Files{"f"});
}

TEST(TraceFile, TakesEveryTraceOfAnArchive) {
  const std::vector<std::pair<std::string, std::string>> members = {
      {"notes.txt", "hello"}, {"a/rank0.json", kTrace}, {"rank1.json", kTrace}};
  const Files both = {"f!a/rank0.json", "f!rank1.json"};
  EXPECT_EQ(Import(Archive(false, members)).files, both);
  EXPECT_EQ(Import(Archive(false, members, true)).files, both);
  EXPECT_EQ(Import(Archive(true, members)).files, both);
  const std::string inner = Archive(false, {{"x.json", kTrace}}, true);
  EXPECT_EQ(Import(Archive(true, {{"in.tgz", inner}})).files, Files{"f!in.tgz!x.json"});
}

TEST(TraceFile, SaysWhatItIsNot) {
  EXPECT_NE(Import("").error.find("empty"), std::string::npos);
  EXPECT_NE(Import("hello").error.find("not recognised"), std::string::npos);
  EXPECT_FALSE(Import("{\"a\":1}").error.empty());
  EXPECT_FALSE(Import(Archive(false, {{"a.txt", "hello"}})).error.empty());
  EXPECT_NE(Import(Archive(true, {{"a.sqlite", std::string("SQLite format 3\0", 16) + "x"}}))
                .error.find("unpacked"),
            std::string::npos);
}

TEST(TraceFile, UsesTheMembersBeforeTheDamage) {
  const std::string bytes = Archive(false, {{"a.json", kTrace}, {"b.json", kTrace}});
  const Imported cut = Import(bytes.substr(0, 1024 + 100));
  EXPECT_EQ(cut.files, Files{"f!a.json"});
  ASSERT_EQ(cut.left_out.size(), 1U);
  EXPECT_TRUE(cut.left_out[0].starts_with("f: the archive is damaged")) << cut.left_out[0];
}

TEST(TraceFile, NamesTheMembersThatItLeavesOut) {
  const Imported some =
      Import(Archive(true, {{"a.json", kTrace}, {"b.json", "garbage"}, {"c.json", ""}}));
  EXPECT_EQ(some.files, Files{"f!a.json"});
  ASSERT_EQ(some.left_out.size(), 2U);
  EXPECT_TRUE(some.left_out[0].starts_with("f!b.json: not recognised")) << some.left_out[0];
  EXPECT_EQ(some.left_out[1], "f!c.json: the file is empty");

  std::vector<std::pair<std::string, std::string>> members = {{"a.json", kTrace}};
  for (int i = 0; i < 100; ++i) members.emplace_back(std::to_string(i), "text");
  const std::vector<std::string> many = Import(Archive(false, members)).left_out;
  ASSERT_EQ(many.size(), 21U);
  EXPECT_EQ(many.back(), "f: 80 more files in it could not be used");
}

TEST(TraceFile, SaysThatADatabaseInAPipeNeedsItsName) {
  EXPECT_NE(Import(std::string("SQLite format 3\0", 16)).error.find("from a pipe"),
            std::string::npos);
}

}  // namespace
}  // namespace gpuwhy::trace
