#include "cli/duration.h"

#include <gtest/gtest.h>

namespace gpuwhy {
namespace {

using namespace std::chrono_literals;

TEST(ParseDuration, TakesSecondsAndSuffixes) {
  EXPECT_EQ(ParseDuration("10"), 10s);
  EXPECT_EQ(ParseDuration("2.5s"), 2500ms);
  EXPECT_EQ(ParseDuration("500ms"), 500ms);
  EXPECT_EQ(ParseDuration("3m"), 3min);
  EXPECT_EQ(ParseDuration("24h"), 24h);
}

TEST(ParseDuration, RefusesWhatIsNone) {
  for (const char* text :
       {"", "s", "ten", "10 s", "10x", "-5", "0", "0.1", "25h", "inf", "nan", "1e300", "0x10"}) {
    EXPECT_EQ(ParseDuration(text), std::nullopt) << text;
  }
}

}  // namespace
}  // namespace gpuwhy
