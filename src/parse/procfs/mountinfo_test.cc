#include "parse/procfs/mountinfo.h"

#include <gtest/gtest.h>

namespace gpuwhy {
namespace {

MountLine Parse(const std::string& line) {
  const Result<Mountinfo> info = ParseMountinfo(line + "\n");
  return info && info->mounts.size() == 1 ? info->mounts[0] : MountLine{};
}

TEST(Mountinfo, ReadsALineWithTags) {
  const MountLine line = Parse(
      "36 35 98:0 /mnt1 /mnt2 rw,noatime shared:1 master:2 - nfs4 server:/data "
      "rw,vers=4.2,hard");
  EXPECT_EQ(line, (MountLine{36,
                             35,
                             {98, 0},
                             "/mnt1",
                             "/mnt2",
                             "rw,noatime",
                             "shared:1 master:2",
                             "nfs4",
                             "server:/data",
                             "rw,vers=4.2,hard"}));
}

TEST(Mountinfo, ReadsALineWithoutTagsAndWithADashForAName) {
  const MountLine line = Parse("1 0 0:5 / - rw - tmpfs - rw");
  EXPECT_EQ(line.mount_point, "-");
  EXPECT_EQ(line.source, "-");
  EXPECT_EQ(line.propagation, "");
}

TEST(Mountinfo, UndoesTheKernelsEscapes) {
  const MountLine line = Parse("1 0 0:5 / /my\\040data\\134x rw - fuse.a\\011b s\\043 rw");
  EXPECT_EQ(line.mount_point, "/my data\\x");
  EXPECT_EQ(line.fs_type, "fuse.a\tb");
  EXPECT_EQ(line.source, "s#");
  EXPECT_EQ(UndoOctalEscapes("\\40 \\08 \\400 \\0"), "\\40 \\08 \\400 \\0") << "not escapes";
  EXPECT_EQ(UndoOctalEscapes("\\377\\040"), "\xff ");
}

TEST(Mountinfo, KeepsMountsWithAnEmptySource) {
  const MountLine line = Parse("1 0 0:5 / /a rw - tmpfs  rw,size=1k");
  EXPECT_EQ(line.source, "");
  EXPECT_EQ(line.super_options, "rw,size=1k");
}

TEST(Mountinfo, CountsDamagedLines) {
  const Result<Mountinfo> info = ParseMountinfo(
      "1 0 0:5 / /a rw - tmpfs t rw\n1 0 5 / /a rw - tmpfs t rw\n1 0 0:5 / /a rw\n"
      "1 0 0:5 / /a rw shared:1\n2 0 0:5 / /b rw -\n");
  ASSERT_TRUE(info.ok());
  EXPECT_EQ(info->mounts.size(), 1U);
  EXPECT_EQ(info->skipped, (SkippedLines{4, 2}));
  EXPECT_TRUE(ParseMountinfo("")->mounts.empty());
  EXPECT_EQ(ParseMountinfo("rubbish").error().where, "mountinfo:1");
}

TEST(HideSecretOptions, KeepsWhatMattersOnly) {
  EXPECT_EQ(HideSecretOptions("rw,vers=4.2,username=ann,PassWord=x,secretkey=,hard"),
            "rw,vers=4.2,username=(hidden),PassWord=(hidden),secretkey=(hidden),hard");
  EXPECT_EQ(HideSecretOptions("rw"), "rw");
  EXPECT_EQ(HideSecretOptions(""), "");
}

TEST(HideSecretsOfSource, CutsWhoLogsIn) {
  EXPECT_EQ(HideSecretsOfSource("https://ann:pw@host/a@b"), "https://(hidden)@host/a@b");
  EXPECT_EQ(HideSecretsOfSource("//ann:p@w@host/share"), "//(hidden)@host/share");
  EXPECT_EQ(HideSecretsOfSource("//host/share@x"), "//host/share@x");
  EXPECT_EQ(HideSecretsOfSource("server:/a@b"), "server:/a@b");
}

}  // namespace
}  // namespace gpuwhy
