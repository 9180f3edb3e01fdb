#include "base/text.h"

#include <gtest/gtest.h>

namespace gpuwhy {
namespace {

TEST(ParseNumber, TakesTheWholeTextOrNothing) {
  EXPECT_EQ(ParseNumber<int>("42"), 42);
  EXPECT_EQ(ParseNumber<int>("42 "), std::nullopt);
  EXPECT_EQ(ParseNumber<int>(""), std::nullopt);
  EXPECT_EQ(ParseNumber<unsigned char>("256"), std::nullopt);
  EXPECT_EQ(ParseNumber<unsigned>("-1"), std::nullopt);
  EXPECT_EQ(ParseNumber<std::uint64_t>("ff", 16), 255U);
}

TEST(ParseDouble, RefusesWhatIsNotFinite) {
  EXPECT_EQ(ParseDouble("1.5"), 1.5);
  EXPECT_EQ(ParseDouble("nan"), std::nullopt);
  EXPECT_EQ(ParseDouble("inf"), std::nullopt);
  EXPECT_EQ(ParseDouble("1.5x"), std::nullopt);
}

TEST(Fields, SplitsAtRunsOfBlanks) {
  EXPECT_EQ(Fields("  a\t b  "), (std::vector<std::string_view>{"a", "b"}));
  EXPECT_TRUE(Fields(" \t").empty());
}

TEST(NextLine, DropsCarriageReturnsAndEndsEmpty) {
  std::string_view text = "a\r\nb";
  EXPECT_EQ(NextLine(text), "a");
  EXPECT_EQ(NextLine(text), "b");
  EXPECT_TRUE(text.empty());
}

TEST(Printable, NeutralisesEscapesAndBrokenUtf8ButKeepsText) {
  EXPECT_EQ(Printable("caf\xc3\xa9"), "caf\xc3\xa9");
  EXPECT_EQ(Printable("a\x1b[31mb\n"), "a\\x1b[31mb\\x0a");
  EXPECT_EQ(Printable("\xff\xfe"), "\\xff\\xfe");
  EXPECT_EQ(Printable("\xc0\xaf"), "\\xc0\\xaf") << "overlong";
  EXPECT_EQ(Printable("\xe2\x80\xae"
                      "txt"),
            "\\xe2\\x80\\xaetxt")
      << "right-to-left override";
  EXPECT_EQ(Printable("\xe2\x82"), "\\xe2\\x82") << "cut in the middle";
}

TEST(ShellQuote, MakesOneWordOfAnything) {
  EXPECT_EQ(ShellQuote("/data/train.tar"), "/data/train.tar");
  EXPECT_EQ(ShellQuote(""), "''");
  EXPECT_EQ(ShellQuote("it's"), "'it'\\''s'");
  EXPECT_EQ(ShellQuote("$(touch x)"), "'$(touch x)'");
  EXPECT_EQ(ShellQuote("a\nb"), "$'a\\x0ab'");
}

TEST(SeparatedFields, KeepsEmptyOnesAndStopsAtTheMost) {
  const std::vector<std::string_view> fields = {"a", "", "b c"};
  EXPECT_EQ(SeparatedFields("a,, b c ", ',', 10), fields);
  EXPECT_EQ(SeparatedFields("a,b,c", ',', 2), (std::vector<std::string_view>{"a", "b"}));
  EXPECT_EQ(SeparatedFields("", ',', 2), std::vector<std::string_view>{""});
}

TEST(Lower, TouchesAsciiLettersAlone) { EXPECT_EQ(Lower("GPU-\xc3\x89 9z"), "gpu-\xc3\x89 9z"); }

TEST(CanonicalBusId, IsOneFormForAllTools) {
  EXPECT_EQ(CanonicalBusId("00000000:3B:00.0"), "0000:3b:00.0");
  EXPECT_EQ(CanonicalBusId("3b:00.0"), "0000:3b:00.0");
  EXPECT_EQ(CanonicalBusId("0001:00:00.0"), "0001:00:00.0");
  EXPECT_EQ(CanonicalBusId("none"), "none");
}

}  // namespace
}  // namespace gpuwhy
