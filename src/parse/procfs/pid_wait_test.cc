#include "parse/procfs/pid_wait.h"

#include <gtest/gtest.h>

namespace gpuwhy {
namespace {

TEST(BlockedCall, TheThreeFormsAreTold) {
  EXPECT_EQ(ParseBlockedCall("running\n")->state, BlockedCall::State::kRunning);
  EXPECT_EQ(ParseBlockedCall("-1 0x7ffe2f83ee48 0x7f1b33ef5bd3\n")->state,
            BlockedCall::State::kOutside);
  const Result<BlockedCall> call =
      ParseBlockedCall("202 0x7f00 0x189 0x0 0x0 0xffffffffffffffff 0x8 0x7ffe 0x7f1b\n");
  ASSERT_TRUE(call);
  EXPECT_EQ(call->state, BlockedCall::State::kInCall);
  EXPECT_EQ(call->number, 202);
  EXPECT_EQ(call->args[0], 0x7f00U);
  EXPECT_EQ(call->args[1], 0x189U);
  EXPECT_EQ(call->args[4], 0xffffffffffffffffU);
}

TEST(BlockedCall, AnythingElseIsAnError) {
  EXPECT_FALSE(ParseBlockedCall(""));
  EXPECT_FALSE(ParseBlockedCall("202"));
  EXPECT_FALSE(ParseBlockedCall("202 1 2 3 4 5 6"));
  EXPECT_FALSE(ParseBlockedCall("runnin"));
}

TEST(Wchan, ZeroAndNothingNameNoChannel) {
  EXPECT_EQ(ParseWchan("anon_pipe_read"), "anon_pipe_read");
  EXPECT_EQ(ParseWchan("0"), "");
  EXPECT_EQ(ParseWchan(""), "");
}

}  // namespace
}  // namespace gpuwhy
