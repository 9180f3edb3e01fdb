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

TEST(Error, IsPrintableWhateverItQuotes) {
  EXPECT_EQ((Error{"no \x1b[31m", "/x\n", 0}.Text()), "/x\\x0a: no \\x1b[31m");
  const std::string once = Error{"\x1b", "", 0}.Text();
  EXPECT_EQ((Error{once, "", 0}.Text()), once) << "quoted once";
}

TEST(Error, SaysWhereWhatAndErrno) {
  EXPECT_EQ((Error{"cannot open", "/x", 2}.Text()), "/x: cannot open: No such file or directory");
  EXPECT_EQ((Error{"bad frame", "", 0}.Text()), "bad frame");
}

}  // namespace
}  // namespace gpuwhy
