#include "diagnose/coverage.h"

#include <gtest/gtest.h>

#include "diagnose/finding_catalogue.h"
#include "diagnose/rule.h"

namespace gpuwhy {
namespace {

TEST(Coverage, HasOneRowForEachFindingOfTheCatalogue) {
  EXPECT_EQ(AllCoverage().size(), AllFindings().size());
  for (const FindingInfo& info : AllFindings())
    EXPECT_NE(FindCoverage(info.id), nullptr) << info.id;
  EXPECT_EQ(FindCoverage("no.such-finding"), nullptr);
}

TEST(Coverage, EachRuleIsInTheFileOfItsName) {
  for (const Rule& rule : AllRules()) {
    const CoverageRow* row = FindCoverage(rule.id);
    ASSERT_NE(row, nullptr) << rule.id;
    EXPECT_FALSE(row->rule_files.empty()) << rule.id;
  }
}

TEST(Coverage, DeliveredNeedsARuleACaseAndANearMiss) {
  const std::string_view files[] = {"x.cc"};
  const CoverageCase cases[] = {{"findings/x", EvidenceSource::kTrace}};
  const std::string_view id = AllRules().front().id;
  EXPECT_TRUE(IsDelivered({id, files, cases, cases}));
  EXPECT_FALSE(IsDelivered({id, files, cases, {}}));
  EXPECT_FALSE(IsDelivered({id, files, {}, cases}));
  EXPECT_FALSE(IsDelivered({"no.such-finding", files, cases, cases}));
  EXPECT_TRUE(FiresFrom({id, files, cases, {}}, EvidenceSource::kTrace));
  EXPECT_FALSE(FiresFrom({id, files, cases, {}}, EvidenceSource::kLive));
}

}  // namespace
}  // namespace gpuwhy
