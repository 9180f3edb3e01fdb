// pcie.errors and nvlink.errors: what fires, what stands below the threshold, what can't be told.
#include <gtest/gtest.h>

#include "diagnose/rules/device/device_rules.h"
#include "diagnose/test_facts.h"

namespace gpuwhy {
namespace {

const Subject kHost;
const Subject kFirstGpu{SubjectKind::kGpu, "0"};

TEST(PcieErrors, AnErrorOfAGpuThatWasNotMendedIsOneTooMany) {
  TestFacts facts;
  facts.SetText(FactId::kSaidAerError,
                "[ 81.2] nvidia 0000:3b:00.0: PCIe Bus Error: severity=Uncorrected (Non-Fatal), "
                "type=Transaction Layer, (Requester ID)",
                kHost);
  const RuleResult result = PcieErrors(facts.Build(), {});
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].severity, Severity::kCritical);
}

TEST(PcieErrors, MendedErrorsNeedThreeLines) {
  constexpr const char* kLine =
      "[ 81.2] nvidia 0000:3b:00.0: AER: PCIe Bus Error: severity=Corrected, type=Data Link Layer";
  TestFacts facts;
  facts.SetText(FactId::kSaidAerError, kLine, kHost);
  EXPECT_TRUE(PcieErrors(facts.Build(), {}).findings.empty());
  FactSet set = facts.Build();
  const Fact line = *set.All(FactId::kSaidAerError).front();
  for (int i = 0; i < 2; ++i) {
    Fact again = line;
    again.provenance.source = "dmesg:" + std::to_string(10 + i);
    set.Add(again);
  }
  const RuleResult result = PcieErrors(set, {});
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].confidence, Confidence::kLow);
}

TEST(PcieErrors, WhatIsBehindAPortCantBeTold) {
  TestFacts facts;
  facts.SetText(FactId::kSaidAerError,
                "[ 81.2] pcieport 0000:3a:01.0: PCIe Bus Error: severity=Corrected, "
                "type=Physical Layer, (Receiver ID)",
                kHost);
  const RuleResult result = PcieErrors(facts.Build(), {});
  EXPECT_TRUE(result.findings.empty());
  ASSERT_EQ(result.unknowns.size(), 1U);
}

TEST(PcieErrors, ADiskIsNoGpu) {
  TestFacts facts;
  facts.SetText(FactId::kSaidAerError,
                "[ 81.2] nvme 0000:01:00.0: PCIe Bus Error: severity=Uncorrected (Fatal)", kHost);
  const RuleResult result = PcieErrors(facts.Build(), {});
  EXPECT_TRUE(result.findings.empty());
  EXPECT_TRUE(result.unknowns.empty());
}

TEST(NvlinkErrors, CountersFireFromAHundred) {
  TestFacts facts;
  facts.Set(FactId::kNvlinkErrors, 99, std::nullopt, kFirstGpu);
  EXPECT_TRUE(NvlinkErrors(facts.Build(), {}).findings.empty());
  facts.Set(FactId::kNvlinkErrors, 100, std::nullopt, kFirstGpu);
  const RuleResult result = NvlinkErrors(facts.Build(), {});
  ASSERT_EQ(result.findings.size(), 1U);
  EXPECT_EQ(result.findings[0].confidence, Confidence::kLow);
}

}  // namespace
}  // namespace gpuwhy
