#include "parse/procfs/sysvipc.h"

#include <gtest/gtest.h>

namespace gpuwhy {
namespace {

TEST(Sysvipc, SetsComeWithTheirNumberOfSemaphores) {
  const std::vector<SysvSet> sets = ParseSysvSets(
      "       key      semid perms      nsems   uid   gid  cuid  cgid      otime      ctime\n"
      "         0          3   600          2  1000  1000  1000  1000  100  100\n"
      "-559038737      98308   666          1     0     0     0     0    0  100\n");
  ASSERT_EQ(sets.size(), 2U);
  EXPECT_EQ(sets[0].id, 3);
  EXPECT_EQ(sets[0].semaphores, 2);
  EXPECT_EQ(sets[1].id, 98308);
}

TEST(Sysvipc, QueuesComeWithTheirLastUsers) {
  const std::vector<SysvMessages> queues = ParseSysvMessages(
      "       key      msqid perms      cbytes       qnum lspid lrpid   uid   gid  cuid  cgid\n"
      "         0          7   600           0          0   412   411     0     0     0     0\n");
  ASSERT_EQ(queues.size(), 1U);
  EXPECT_EQ(queues[0].id, 7);
  EXPECT_EQ(queues[0].last_sender, 412);
  EXPECT_EQ(queues[0].last_receiver, 411);
}

TEST(Sysvipc, LinesOfAnotherFormAreLeftOut) {
  EXPECT_TRUE(ParseSysvSets("").empty());
  EXPECT_TRUE(ParseSysvSets("0 1 600\n0 x 600 1\n0 1 600 -1\n").empty());
  EXPECT_TRUE(ParseSysvMessages("0 7 600 0 0 412\n").empty());
}

}  // namespace
}  // namespace gpuwhy
