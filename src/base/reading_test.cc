#include "base/reading.h"

#include <gtest/gtest.h>

#include "base/result.h"

namespace gpuwhy {
namespace {

TEST(Reading, IsMissingUntilAValueIsRead) {
  const Reading<int> none;
  EXPECT_FALSE(none.has());
  EXPECT_EQ(none.missing().why, Why::kNotSampled);
  const Reading<int> zero(0);
  ASSERT_TRUE(zero.has());
  EXPECT_NE(zero, none) << "a measured 0 is not a missing value";
}

TEST(Error, SaysWhereWhatAndErrno) {
  EXPECT_EQ((Error{"cannot open", "/x", 2}.Text()), "/x: cannot open: No such file or directory");
  EXPECT_EQ((Error{"bad frame", "", 0}.Text()), "bad frame");
}

}  // namespace
}  // namespace gpuwhy
