#include "report/json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/text.h"
#include "report/test_diagnosis.h"

namespace gpuwhy {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::ElementsAre;

std::vector<std::string> Keys(const Json& object) {
  std::vector<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.push_back(key);
  return keys;
}

Json Rendered(const Diagnosis& diagnosis) { return Json::parse(RenderJson(diagnosis)); }

TEST(RenderJson, HasTheKeysOfTheSchemaInItsOrder) {
  const Json json = Rendered(StarvedJob());
  EXPECT_THAT(Keys(json),
              ElementsAre("schema", "tool", "source", "verdict", "alerts", "jobs", "wait_chain",
                          "findings", "step", "unknown", "inputs", "overhead"));
  EXPECT_THAT(Keys(json["source"]), ElementsAre("kind", "started", "duration_s", "host"));
  EXPECT_THAT(Keys(json["verdict"]), ElementsAre("finding", "kind", "resource", "subject",
                                                 "confidence", "cost", "summary"));
  EXPECT_THAT(Keys(json["findings"][0]),
              ElementsAre("id", "kind", "stage", "resource", "subject", "effect", "action",
                          "severity", "confidence", "explained_by", "cost", "bound", "evidence",
                          "title", "meaning", "decision", "fix", "verify", "refs"));
  EXPECT_THAT(Keys(json["findings"][0]["evidence"][0]),
              ElementsAre("fact", "subject", "scope", "value", "unit", "expected", "from", "to",
                          "n", "how", "source"));
  EXPECT_THAT(Keys(json["overhead"]),
              ElementsAre("cpu_share", "peak_rss", "samples", "late", "lost"));
}

TEST(RenderJson, NamesTheVerdict) {
  const Json verdict = Rendered(StarvedJob())["verdict"];
  EXPECT_EQ(verdict["finding"], "input.metadata-storm");
  EXPECT_EQ(verdict["kind"], "fault");
  EXPECT_EQ(verdict["confidence"], "high");
  EXPECT_EQ(verdict["cost"]["share"], 0.41);
  EXPECT_EQ(verdict["cost"]["basis"], "law");
}

TEST(RenderJson, AVerdictThatDoesNotHoldIsNull) {
  const Json json = Rendered(UndecidedJobs());
  EXPECT_TRUE(json["verdict"]["finding"].is_null());
  EXPECT_EQ(json["verdict"]["summary"], "Two jobs run here and none of them stands out");
  EXPECT_TRUE(json["step"].is_null());
}

TEST(RenderJson, TellsTimesFromTheStartOfTheWindow) {
  const Json evidence = Rendered(StarvedJob())["findings"][0]["evidence"][0];
  EXPECT_EQ(evidence["from"], 0.0);
  EXPECT_EQ(evidence["to"], 10.0);
}

TEST(RenderJson, AMissingValueIsNullWithItsReason) {
  const Json evidence = Rendered(StarvedJob())["findings"][0]["evidence"][3];
  EXPECT_TRUE(evidence["value"].is_null());
  EXPECT_EQ(evidence["missing"]["why"], "no-permission");
  EXPECT_EQ(evidence["missing"]["detail"], "/proc/4250/io");
}

TEST(RenderJson, OverheadThatWasNotSeenIsNullAndNotZero) {
  const Json overhead = Rendered(NothingMeasured())["overhead"];
  EXPECT_TRUE(overhead["cpu_share"].is_null());
  EXPECT_TRUE(overhead["peak_rss"].is_null());
}

TEST(RenderJson, PeakMemoryIsInBytes) {
  EXPECT_EQ(Rendered(StarvedJob())["overhead"]["peak_rss"], 21504.0 * 1024);
}

TEST(RenderJson, NumbersThatAreNoneAreNull) {
  const std::string text = RenderJson(HostileNames());
  const Json json = Json::parse(text);
  EXPECT_TRUE(json["verdict"]["cost"]["share"].is_null());
  EXPECT_TRUE(json["verdict"]["cost"]["low"].is_null());
  EXPECT_TRUE(json["wait_chain"][0]["high"].is_null());
  EXPECT_TRUE(json["step"]["throughput"].is_null());
  EXPECT_TRUE(json["findings"][0]["evidence"][0]["value"].is_null());
  EXPECT_TRUE(json["overhead"]["cpu_share"].is_null());
}

void ExpectPrintable(const Json& json) {
  if (json.is_string()) {
    const std::string text = json.get<std::string>();
    std::string_view rest = text;
    while (!rest.empty()) {
      const std::string_view line = NextToken(rest, '\n');
      EXPECT_EQ(Printable(line), line);
    }
  }
  if (json.is_structured()) {
    for (const Json& child : json) ExpectPrintable(child);
  }
}

TEST(RenderJson, HostileNamesAreHarmless) { ExpectPrintable(Rendered(HostileNames())); }

TEST(RenderJson, EndsWithANewline) { EXPECT_EQ(RenderJson(HealthyJob()).back(), '\n'); }

}  // namespace
}  // namespace gpuwhy
