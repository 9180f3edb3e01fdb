#include "trace/importers/json_prefix.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace gpuwhy::trace {
namespace {

// Where the events start, feeding step bytes at a time; npos: not found.
std::size_t Start(std::string_view text, std::size_t step) {
  PrefixScanner scanner;
  for (std::size_t at = 0; at < text.size(); at += step) {
    const std::string_view piece = text.substr(at, step);
    const std::size_t used = scanner.Feed(piece);
    if (scanner.Found()) return at + used;
    if (scanner.Failed()) return std::string_view::npos;
    EXPECT_EQ(used, piece.size());
  }
  return std::string_view::npos;
}

TEST(PrefixScanner, FindsTheEventsInPiecesOfAnySize) {
  const std::string text = R"({"a\"traceEvents": [1], "b": {"traceEvents": [2]}, )"
                           R"("c": "traceEvents", "traceEvents" : [)";
  for (std::size_t step = 1; step <= text.size(); ++step) EXPECT_EQ(Start(text, step), text.size());
}

TEST(PrefixScanner, TakesABareArrayAndAByteOrderMark) {
  EXPECT_EQ(Start(" [{}]", 1), 2U);
  EXPECT_EQ(Start("\xef\xbb\xbf\r\n{\"traceEvents\":[", 2), 21U);
}

TEST(PrefixScanner, RefusesWhatHoldsNone) {
  for (const char* text : {"hello", "{}", "{\"traceEvents\": 3}", "\"traceEvents\":[", "{]"}) {
    EXPECT_EQ(Start(text, 1), std::string_view::npos) << text;
  }
}

TEST(JoinMetadata, MakesOneObject) {
  EXPECT_EQ(JoinMetadata("{\"a\":1,\n \"traceEvents\": [", ",\"b\":2}\n"), "{\"a\":1,\"b\":2}");
  EXPECT_EQ(JoinMetadata("{\"traceEvents\":[", "}"), "{}");
  EXPECT_EQ(JoinMetadata("{\"traceEvents\":[", ", \"b\": 2}"), "{\"b\": 2}");
  EXPECT_EQ(JoinMetadata("\xef\xbb\xbf{\"a\":{\"x\":1},\"traceEvents\":[", ""),
            "{\"a\":{\"x\":1}}");
  EXPECT_EQ(JoinMetadata("", ""), "{}");
}

}  // namespace
}  // namespace gpuwhy::trace
