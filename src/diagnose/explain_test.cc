#include "diagnose/explain.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace gpuwhy {
namespace {

TEST(Explain, GivesAnIdInFull) {
  EXPECT_EQ(Explain("input.metadata-storm"),
            "input.metadata-storm\n"
            "  meaning: many small files: opens and stats, not bytes, are the load\n"
            "  resource: storage\n"
            "  kind: fault: something is wrong\n"
            "  effect: slows\n"
            "  action: fix\n"
            "  can this version find it: yes\n");
  const std::string text = Explain("input.storage-latency");
  EXPECT_NE(text.find("  may be explained by: input.metadata-storm, input.network-filesystem"),
            std::string::npos)
      << text;
}

TEST(Explain, SaysWhereNoRuleExists) {
  EXPECT_NE(Explain("scaling.knee").find("can this version find it: no"), std::string::npos);
}

TEST(Explain, ListsSeveralMatches) {
  const std::string text = Explain("SMALL files");
  EXPECT_NE(text.find("input.metadata-storm"), std::string::npos);
  const std::string all = Explain("");
  EXPECT_EQ(static_cast<std::size_t>(std::count(all.begin(), all.end(), '\n')),
            AllFindings().size());
}

TEST(Explain, SaysThatNothingMatchesAndShowsTheWordsPrintable) {
  EXPECT_EQ(Explain("no\x1bsuch").find('\x1b'), std::string::npos);
  EXPECT_EQ(Explain("nosuchthing").find("No finding matches"), 0U);
}

TEST(SearchFindings, PutsMatchesInTheIdFirst) {
  const std::vector<const FindingInfo*> found = SearchFindings("throttled");
  ASSERT_GE(found.size(), 2U);
  EXPECT_EQ(found[0]->id, "cpu.quota-throttled");
  EXPECT_EQ(found[1]->id, "input.io-throttled");
}

TEST(SearchFindings, WhereNoTextHoldsAllWordsTheRarestCounts) {
  const std::vector<const FindingInfo*> found = SearchFindings("slow loaders");
  ASSERT_FALSE(found.empty());
  EXPECT_TRUE(std::any_of(found.begin(), found.end(), [](const FindingInfo* info) {
    return info->id == "input.too-few-workers";
  }));
}

TEST(Explain, EveryIdHasAMeaningAndTheListMarksWhatIsNotFound) {
  for (const FindingInfo& info : AllFindings()) EXPECT_FALSE(info.meaning.empty()) << info.id;
  EXPECT_NE(Explain("scaling").find("[not found by this version]"), std::string::npos);
}

TEST(SearchFindings, NeedsEveryWord) {
  for (const FindingInfo* info : SearchFindings("cgroup quota")) {
    EXPECT_EQ(info->id, "cpu.quota-throttled");
  }
  EXPECT_EQ(SearchFindings("cgroup quota").size(), 1U);
}

TEST(ExplainFinding, WorksForTheWholeVocabulary) {
  for (const FindingInfo& info : AllFindings()) {
    const std::string text = ExplainFinding(info);
    EXPECT_EQ(text.find(std::string(info.id)), 0U);
    EXPECT_NE(text.find("resource"), std::string::npos) << info.id;
  }
}

}  // namespace
}  // namespace gpuwhy
