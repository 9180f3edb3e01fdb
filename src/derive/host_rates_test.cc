#include "derive/host_rates.h"

#include <gtest/gtest.h>

#include "derive/test_capture.h"
#include "derive/window.h"

namespace gpuwhy {
namespace {

constexpr MonoTime At(int s) { return {std::chrono::seconds(s)}; }

CpuSample Cpu(int s, std::uint64_t user, std::uint64_t idle, std::uint64_t iowait) {
  CpuSample sample;
  sample.at = At(s);
  sample.user = user;
  sample.idle = idle;
  sample.iowait = iowait;
  return sample;
}

BlockSample Disk(int s, std::uint64_t reads, std::uint64_t sectors, std::uint64_t ms) {
  BlockSample sample;
  sample.at = At(s);
  sample.device = {259, 0};
  sample.reads = reads;
  sample.read_sectors = sectors;
  sample.read_ms = ms;
  sample.busy_ms = ms;
  return sample;
}

FactSet HostFacts(const Capture& capture) {
  FactSet facts;
  DeriveHostRates(capture, DiagnosedWindow(capture), facts);
  return facts;
}

const Subject kHost;
const Subject kDisk{SubjectKind::kBlockDevice, "nvme0n1"};

TEST(HostRates, CpuSharesAreOfAllTimeBetweenTheWindowsEnds) {
  CaptureBuilder builder(0);
  builder.capture.cpu = {Cpu(90, 0, 0, 0), Cpu(100, 100, 1000, 0), Cpu(105, 200, 1300, 100),
                         Cpu(110, 400, 1500, 200)};
  const FactSet facts = HostFacts(builder.capture);
  EXPECT_NEAR(*facts.Number(FactId::kHostCpuBusy, kHost), 0.3, 1e-9);
  EXPECT_NEAR(*facts.Number(FactId::kHostCpuIowait, kHost), 0.2, 1e-9);
  EXPECT_EQ(*facts.Number(FactId::kHostCpus, kHost), 8);
}

TEST(HostRates, ACounterThatFellIsMissing) {
  CaptureBuilder builder(0);
  builder.capture.cpu = {Cpu(100, 100, 1000, 50), Cpu(110, 200, 1300, 10)};
  BlockSample before = Disk(100, 500, 5000, 10);
  BlockSample after = Disk(110, 20, 100, 5);
  before.name = after.name = builder.Name("nvme0n1");
  builder.capture.block = {before, after};
  const FactSet facts = HostFacts(builder.capture);
  EXPECT_EQ(facts.Number(FactId::kHostCpuBusy, kHost).missing().why, Why::kWentBackwards);
  EXPECT_EQ(facts.Number(FactId::kBlockReadAwait, kDisk).missing().why, Why::kWentBackwards);
  EXPECT_EQ(facts.Number(FactId::kBlockReadOps, kDisk).missing().why, Why::kWentBackwards);
}

TEST(HostRates, DeviceRatesAndLatency) {
  CaptureBuilder builder(0);
  BlockSample before = Disk(100, 500, 5000, 1000);
  BlockSample after = Disk(110, 1500, 25000, 3000);
  before.name = after.name = builder.Name("nvme0n1");
  builder.capture.block = {before, after};
  const FactSet facts = HostFacts(builder.capture);
  EXPECT_NEAR(*facts.Number(FactId::kBlockReadAwait, kDisk), 0.002, 1e-9);
  EXPECT_NEAR(*facts.Number(FactId::kBlockReadRate, kDisk), 20000 * 512 / 10.0, 1e-6);
  EXPECT_NEAR(*facts.Number(FactId::kBlockReadOps, kDisk), 100, 1e-9);
  EXPECT_NEAR(*facts.Number(FactId::kBlockBusy, kDisk), 0.2, 1e-9);
}

TEST(HostRates, WithoutReadsThereIsNoLatencyRatherThanZero) {
  CaptureBuilder builder(0);
  BlockSample before = Disk(100, 500, 5000, 1000);
  BlockSample after = Disk(110, 500, 5000, 1000);
  before.name = after.name = builder.Name("nvme0n1");
  builder.capture.block = {before, after};
  const FactSet facts = HostFacts(builder.capture);
  EXPECT_EQ(facts.Number(FactId::kBlockReadAwait, kDisk).missing().why, Why::kNotPresent);
  EXPECT_EQ(*facts.Number(FactId::kBlockReadOps, kDisk), 0);
}

TEST(HostRates, APressureShareIsStallTimeOverTime) {
  CaptureBuilder builder(0);
  PsiSample sample;
  sample.resource = PsiResource::kIo;
  sample.at = At(100);
  sample.some_us = 1'000'000;
  builder.capture.psi.push_back(sample);
  sample.at = At(110);
  sample.some_us = 4'000'000;
  builder.capture.psi.push_back(sample);
  const FactSet facts = HostFacts(builder.capture);
  EXPECT_NEAR(*facts.Number(FactId::kHostPsiIo, kHost), 0.3, 1e-9);
}

TEST(HostRates, WhatNobodyReadIsMissingForTheSourcesReason) {
  CaptureBuilder builder(0);
  SourceReport psi;
  psi.name = "psi";
  psi.missing.push_back({Why::kNotSupported, "/proc/pressure/io"});
  builder.capture.sources.push_back(psi);
  const FactSet facts = HostFacts(builder.capture);
  EXPECT_EQ(facts.Number(FactId::kHostPsiIo, kHost).missing().why, Why::kNotSupported);
  EXPECT_EQ(facts.Number(FactId::kHostCpuBusy, kHost).missing().why, Why::kNotSampled);
}

}  // namespace
}  // namespace gpuwhy
