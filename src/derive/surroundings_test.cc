#include "derive/surroundings.h"

#include <gtest/gtest.h>

#include <string>

namespace gpuwhy {
namespace {

const Subject kJob{SubjectKind::kJob, "7"};
const Subject kShm{SubjectKind::kMount, "/dev/shm"};

class SurroundingsFacts : public testing::Test {
 protected:
  SurroundingsFacts() {
    capture_.names = {""};
    process_.pid = 7;
  }
  NameId Name(const std::string& text) {
    capture_.names.push_back(text);
    return static_cast<NameId>(capture_.names.size() - 1);
  }
  void MountAt(const std::string& point, const std::string& type, std::int32_t pid) {
    Mount mount;
    mount.pid = pid;
    mount.mount_point = Name(point);
    mount.fs_type = Name(type);
    capture_.mounts.push_back(mount);
  }
  const Fact* Find(FactId id, const Subject& subject = kJob) {
    facts_ = {};
    capture_.inventory.processes = {process_};
    DeriveSurroundings(capture_, kJob, facts_);
    return facts_.Find(id, subject);
  }

  Capture capture_;
  ProcessSurroundings process_;
  FactSet facts_;
};

TEST_F(SurroundingsFacts, AVariableIsOfItsProcessAndSaysWhereItWasRead) {
  process_.variables = {{"/proc/7/environ", "NCCL_P2P_DISABLE=1"}};
  const Fact* variable = Find(FactId::kJobVariable, {SubjectKind::kProcess, "7"});
  ASSERT_NE(variable, nullptr);
  EXPECT_EQ(std::get<std::string>(*variable->value), "NCCL_P2P_DISABLE=1");
  EXPECT_EQ(variable->provenance.source, "/proc/7/environ");
}

TEST_F(SurroundingsFacts, SharedMemoryIsThatOfTheJobsMounts) {
  process_.shm_size = 67108864.0;
  process_.shm_used = 0.99;
  const Fact* used = Find(FactId::kMountUsed, kShm);
  ASSERT_NE(used, nullptr);
  EXPECT_EQ(used->Number(), 0.99);
  EXPECT_EQ(used->provenance.source, "/proc/7/root/dev/shm");
  EXPECT_EQ(facts_.Find(FactId::kMountSize, kShm)->Number(), 67108864);
}

TEST_F(SurroundingsFacts, WhatWasNotReadMakesNoFact) {
  process_.locked_limit = {Why::kNotPresent, "unlimited"};
  EXPECT_EQ(Find(FactId::kMountUsed, kShm), nullptr);
  EXPECT_EQ(Find(FactId::kJobGpuFiles), nullptr);
  EXPECT_EQ(Find(FactId::kJobGpusAllowed), nullptr);
  EXPECT_EQ(Find(FactId::kJobLockedLimit), nullptr);
  EXPECT_EQ(Find(FactId::kJobContainer), nullptr);
}

TEST_F(SurroundingsFacts, RulesThatCannotBeReadAreMissingWithTheReason) {
  process_.gpus_allowed = {Why::kNotSupported, "BPF"};
  const Fact* allowed = Find(FactId::kJobGpusAllowed);
  ASSERT_NE(allowed, nullptr);
  EXPECT_EQ(allowed->value.missing().why, Why::kNotSupported);
  process_.gpus_allowed = false;
  EXPECT_FALSE(std::get<bool>(*Find(FactId::kJobGpusAllowed)->value));
}

TEST_F(SurroundingsFacts, AContainerIsKnownByItsRootAndItsDriverFilesAreCounted) {
  MountAt("/", "overlay", 7);
  MountAt("/usr/lib/libcuda.so.550.90", "ext4", 7);
  const Fact* container = Find(FactId::kJobContainer);
  ASSERT_NE(container, nullptr);
  EXPECT_EQ(facts_.Find(FactId::kJobDriverFiles, kJob)->Number(), 1);
}

TEST_F(SurroundingsFacts, TheToolsOwnContainerIsNotTheJobs) {
  MountAt("/", "overlay", 0);
  MountAt("/", "ext4", 7);
  EXPECT_EQ(Find(FactId::kJobContainer), nullptr);
}

}  // namespace
}  // namespace gpuwhy
