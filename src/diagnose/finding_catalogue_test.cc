#include "diagnose/finding_catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace gpuwhy {
namespace {

TEST(FindingCatalogue, IsSortedSoThatLookupsWork) {
  const auto all = AllFindings();
  EXPECT_TRUE(
      std::is_sorted(all.begin(), all.end(),
                     [](const FindingInfo& a, const FindingInfo& b) { return a.id < b.id; }));
  for (const FindingInfo& info : all) EXPECT_EQ(FindFinding(info.id), &info) << info.id;
  EXPECT_EQ(FindFinding("no.such"), nullptr);
}

TEST(FindingCatalogue, EveryExplanationNamesSomethingThatExists) {
  for (const FindingInfo& info : AllFindings()) {
    for (const std::string_view pattern : info.explained_by) {
      const bool exists =
          std::any_of(AllFindings().begin(), AllFindings().end(),
                      [&](const FindingInfo& other) { return MayExplain(other.id, info); });
      EXPECT_TRUE(exists) << info.id << " explained by " << pattern;
    }
  }
}

TEST(FindingCatalogue, KindsAndEffectsAgree) {
  for (const FindingInfo& info : AllFindings()) {
    EXPECT_TRUE(info.stage >= 0 && info.stage <= 5) << info.id;
    if (info.kind == FindingKind::kOk) {
      EXPECT_EQ(info.effect, Effect::kNone) << info.id;
    }
    if (info.effect == Effect::kBounds) {
      EXPECT_EQ(info.kind, FindingKind::kLimit) << info.id;
    }
  }
}

TEST(MayExplain, KnowsIdsAndFamilies) {
  EXPECT_TRUE(MayExplain("input.metadata-storm", *FindFinding("input.storage-latency")));
  EXPECT_FALSE(MayExplain("input.storage-latency", *FindFinding("input.metadata-storm")));
  EXPECT_TRUE(MayExplain("net.errors", *FindFinding("input.storage-latency"))) << "by family net.*";
  EXPECT_FALSE(MayExplain("net.nonsense", *FindFinding("input.storage-latency")));
}

}  // namespace
}  // namespace gpuwhy
