#include "trace/importers/json_events.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace gpuwhy::trace {
namespace {

struct Walked {
  JsonWalk walk;
  std::vector<std::int64_t> ids;
  bool readable = true;
};

Walked Walk(std::string_view text, std::size_t chunk = kJsonChunk) {
  Walked walked;
  const std::unique_ptr<ByteStream> stream = MakeMemoryStream(text);
  Result<JsonWalk> walk = WalkJsonEvents(
      *stream,
      [&](simdjson::ondemand::object& event) {
        std::int64_t id = -1;
        for (auto field : event) {
          std::string_view key;
          if (field.unescaped_key().get(key) != simdjson::SUCCESS) return false;
          if (key == "id" && field.value().get_int64().get(id) != simdjson::SUCCESS) return false;
        }
        walked.ids.push_back(id);
        return true;
      },
      chunk);
  walked.readable = walk.ok();
  if (walk.ok()) walked.walk = *std::move(walk);
  return walked;
}

// Names that look like the end of an event, nested objects, escapes.
const std::vector<std::string> kEvents = {
    R"({"id":0,"name":"}, {\"id\":77"})", R"({"id":1,"args":{"x":[{"y":1},{"y":2}],"s":"},"}})",
    R"({"id":2,"name":"back\\","args":{}})", R"({"id":3})",
    R"({"args":{"a":{"b":{"c":"]}"}}},"id":4,"name":"a longer name, so that it crosses a chunk"})"};

std::string Compact() {
  std::string text = R"({"before":1,"traceEvents":[)";
  for (const std::string& event : kEvents) text += (text.back() == '[' ? "" : ",") + event;
  return text + R"(],"after":{"x":[2]}})";
}

std::string Pretty(const char* newline) {
  std::string text =
      std::string("{") + newline + "  \"before\": 1," + newline + "  \"traceEvents\": [" + newline;
  for (std::size_t i = 0; i < kEvents.size(); ++i) {
    text += "  " + kEvents[i] + (i + 1 < kEvents.size() ? "," : "") + newline;
  }
  return text + "  ]," + newline + "  \"after\": {\"x\":[2]}" + newline + "}" + newline;
}

// json.dump(indent=0): every key on a line of its own.
std::string OneKeyALine() {
  std::string text;
  bool in_string = false;
  bool escaped = false;
  for (const char c : Compact()) {
    text += c;
    if (!escaped && c == '"') in_string = !in_string;
    escaped = !escaped && c == '\\';
    if (!in_string && (c == ',' || c == '{' || c == '[')) text += '\n';
  }
  return text;
}

const std::vector<std::int64_t> kAll = {0, 1, 2, 3, 4};

TEST(JsonEvents, ReadsEveryLayoutAtEveryChunkSize) {
  for (const std::string& text :
       {Compact(), Pretty("\n"), Pretty("\r\n"), OneKeyALine(), "\xef\xbb\xbf" + Compact()}) {
    for (std::size_t chunk = 16; chunk < text.size() + 8; ++chunk) {
      const Walked walked = Walk(text, chunk);
      ASSERT_TRUE(walked.readable) << chunk;
      ASSERT_EQ(walked.ids, kAll) << chunk << "\n" << text;
      ASSERT_TRUE(walked.walk.complete && walked.walk.lost.empty() && walked.walk.error.empty())
          << chunk << walked.walk.error;
      ASSERT_NE(walked.walk.metadata.find("before"), std::string::npos) << chunk;
      ASSERT_NE(walked.walk.metadata.find("\"after\""), std::string::npos) << chunk;
    }
  }
}

TEST(JsonEvents, ReadsABareArrayWithOrWithoutItsEnd) {
  EXPECT_EQ(Walk("[{\"id\":1},{\"id\":2}]").ids, (std::vector<std::int64_t>{1, 2}));
  const Walked open = Walk("[{\"id\":1},\n{\"id\":2},\n");
  EXPECT_EQ(open.ids, (std::vector<std::int64_t>{1, 2}));
  EXPECT_FALSE(open.walk.complete);
}

TEST(JsonEvents, ReadsAnEmptyList) {
  const Walked walked = Walk(R"({"traceEvents":[],"a":1})");
  EXPECT_TRUE(walked.readable && walked.walk.complete && walked.ids.empty());
}

TEST(JsonEvents, UsesWhatIsWholeOfAFileCutAtAnyByte) {
  for (const std::string& text : {Compact(), Pretty("\n"), OneKeyALine()}) {
    const std::size_t begin = text.find("traceEvents\"") + 15;
    std::size_t most = 0;
    for (std::size_t cut = begin; cut < text.size(); ++cut) {
      for (const std::size_t chunk : {std::size_t{16}, std::size_t{40}, kJsonChunk}) {
        const Walked walked = Walk(std::string_view(text).substr(0, cut), chunk);
        ASSERT_TRUE(walked.readable) << cut;
        // A prefix of all, never a wrong one, and never fewer than a shorter file gave.
        ASSERT_LE(walked.ids.size(), kAll.size()) << cut;
        ASSERT_TRUE(std::equal(walked.ids.begin(), walked.ids.end(), kAll.begin())) << cut;
        ASSERT_GE(walked.ids.size(), most) << cut << " chunk " << chunk;
        if (!walked.walk.complete) {
          ASSERT_FALSE(walked.walk.error.empty()) << cut;
        }
        if (chunk == kJsonChunk) most = walked.ids.size();
      }
    }
    EXPECT_EQ(most, kAll.size());
  }
}

TEST(JsonEvents, SkipsAndCountsABrokenEvent) {
  for (const std::size_t chunk : {std::size_t{16}, std::size_t{64}, kJsonChunk}) {
    const Walked quote = Walk(
        R"([{"ph":"X","id":1},{"ph":"X","id":2,"name":"an "unescaped" quote"},{"ph":"X","id":3},{"ph":"X","id":4}])",
        chunk);
    EXPECT_EQ(quote.ids, (std::vector<std::int64_t>{1, 3, 4})) << chunk;
    EXPECT_EQ(quote.walk.lost.at("malformed"), 1U) << chunk;
    const Walked odd = Walk(
        R"([{"ph":"X","id":1},{"ph":"X","id":2,"name":"one " quote"},{"ph":"X","id":3},{"ph":"X","id":4}])",
        chunk);
    EXPECT_EQ(odd.ids.front(), 1) << chunk;
    EXPECT_EQ(odd.ids.back(), 4) << chunk;
  }
}

TEST(JsonEvents, MendsInvalidBytes) {
  const Walked walked =
      Walk("[{\"ph\":\"X\",\"id\":1,\"name\":\"\xff\xfe\x01\"},{\"ph\":\"X\",\"id\":2}]");
  EXPECT_EQ(walked.ids, (std::vector<std::int64_t>{1, 2}));
  EXPECT_EQ(walked.walk.lost.at("invalid-bytes"), 3U);
}

TEST(JsonEvents, ThousandsOfBrokenEventsStayCheap) {
  std::string text = "[";
  for (int i = 0; i < 20000; ++i) text += "{\"ph\":\"X\",\"id\":1,\"name\":\"a\" b\"},";
  text += "{\"ph\":\"X\",\"id\":2}]";
  const Walked walked = Walk(text);
  EXPECT_EQ(walked.ids.back(), 2);
}

TEST(JsonEvents, RefusesWhatHoldsNoEvents) {
  EXPECT_FALSE(Walk("").readable);
  EXPECT_FALSE(Walk("hello").readable);
  EXPECT_FALSE(Walk("{\"a\":[1]}").readable);
}

TEST(JsonEvents, GrowsForAnEventLongerThanItsChunk) {
  const std::string text = "[{\"id\":1,\"name\":\"" + std::string(100000, 'x') + "\"},{\"id\":2}]";
  EXPECT_EQ(Walk(text, 64).ids, (std::vector<std::int64_t>{1, 2}));
}

}  // namespace
}  // namespace gpuwhy::trace
