#include "base/siphash.h"

#include <gtest/gtest.h>

#include <string>

namespace gpuwhy {
namespace {

// Key 00 01 .. 0f, messages 00, 00 01, ...: the test vectors of the algorithm's authors.
TEST(SipHash, GivesTheAuthorsVectors) {
  const SipHashKey key{0x0706050403020100U, 0x0f0e0d0c0b0a0908U};
  EXPECT_EQ(SipHash24(key, ""), 0x726fdb47dd0e0e31U);
  std::string message;
  for (char c = 0; c < 15; ++c) message += c;
  EXPECT_EQ(SipHash24(key, message), 0xa129ca6149be45e5U);
}

TEST(SipHash, DependsOnTheWholeKey) {
  EXPECT_NE(SipHash24({1, 0}, "host"), SipHash24({0, 0}, "host"));
  EXPECT_NE(SipHash24({0, 1}, "host"), SipHash24({0, 0}, "host"));
}

}  // namespace
}  // namespace gpuwhy
