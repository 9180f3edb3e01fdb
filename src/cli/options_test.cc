#include "cli/options.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gpuwhy {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

Options Parse(std::vector<const char*> arguments) {
  arguments.insert(arguments.begin(), "gpuwhy");
  return ParseOptions(static_cast<int>(arguments.size()), arguments.data(), {"en", "es"});
}

template <class T>
T Parsed(std::vector<const char*> arguments) {
  Options options = Parse(std::move(arguments));
  if (const Ended* ended = std::get_if<Ended>(&options)) ADD_FAILURE() << ended->text;
  return std::get<T>(options);
}

Ended Refused(std::vector<const char*> arguments) {
  Options options = Parse(std::move(arguments));
  const Ended* ended = std::get_if<Ended>(&options);
  if (ended == nullptr) {
    ADD_FAILURE() << "was accepted";
    return {};
  }
  EXPECT_EQ(ended->code, kExitUsage) << ended->text;
  return *ended;
}

TEST(ParseOptions, DiagnoseWatchesTenSecondsUnlessTold) {
  const DiagnoseOptions options = Parsed<DiagnoseOptions>({"diagnose"});
  EXPECT_EQ(options.watch.duration, std::chrono::seconds(10));
  EXPECT_EQ(options.watch.pid, 0);
  EXPECT_EQ(options.fail_on, FailOn::kFix);
  EXPECT_EQ(options.render.format, ReportFormat::kText);
}

TEST(ParseOptions, DiagnoseTakesAllItsOptions) {
  const DiagnoseOptions options = Parsed<DiagnoseOptions>(
      {"diagnose", "--pid", "42", "--duration", "2m", "--format", "json", "--fail-on", "drain",
       "--output", "r.json", "--policy", "p.toml", "--lang", "es", "--no-color", "-v"});
  EXPECT_EQ(options.watch.pid, 42);
  EXPECT_EQ(options.watch.duration, std::chrono::minutes(2));
  EXPECT_EQ(options.watch.policy_path, "p.toml");
  EXPECT_EQ(options.fail_on, FailOn::kDrain);
  EXPECT_EQ(options.render.format, ReportFormat::kJson);
  EXPECT_EQ(options.render.output, "r.json");
  EXPECT_TRUE(options.render.verbose && options.render.no_color && !options.render.quiet);
}

TEST(ParseOptions, ARecordingIsNotWrittenToStdout) {
  EXPECT_THAT(Refused({"record", "-o", "-"}).text, HasSubstr("not to stdout"));
}

TEST(ParseOptions, FromTakesSeveralPathsAndStdin) {
  EXPECT_THAT(Parsed<DiagnoseOptions>({"diagnose", "--from", "a", "b", "-", "--quiet"}).from,
              ElementsAre("a", "b", "-"));
}

TEST(ParseOptions, RecordNeedsAFile) {
  EXPECT_EQ(Parsed<RecordOptions>({"record", "-o", "f"}).file, "f");
  EXPECT_THAT(Refused({"record"}).text, HasSubstr("-o"));
}

TEST(ParseOptions, ExplainTakesWordsOrNothing) {
  EXPECT_THAT(Parsed<ExplainOptions>({"explain", "small", "files"}).words,
              ElementsAre("small", "files"));
  EXPECT_THAT(Parsed<ExplainOptions>({"explain"}).words, ElementsAre());
}

TEST(ParseOptions, RefusesWhatItDoesNotKnow) {
  EXPECT_THAT(Refused({"diagnose", "--frobnicate"}).text, HasSubstr("--frobnicate"));
  EXPECT_THAT(Refused({"frobnicate"}).text, HasSubstr("frobnicate"));
  Refused({});
  Refused({"diagnose", "--pid", "0"});
  Refused({"diagnose", "--pid", "99999999999"});
  Refused({"diagnose", "--pid", "x"});
  Refused({"diagnose", "--duration", "0"});
  Refused({"diagnose", "--format", "html"});
  Refused({"diagnose", "--fail-on", "watch"});
  Refused({"diagnose", "--lang", "tlh"});
  Refused({"diagnose", "--from"});
  Refused({"diagnose", "--from", "a", "--duration", "5"});
  Refused({"diagnose", "-v", "-q"});
}

TEST(ParseOptions, AHostileOptionIsShownHarmless) {
  EXPECT_THAT(Refused({"diagnose", "--duration", "\x1b[2J"}).text, HasSubstr("\\x1b[2J"));
}

TEST(ParseOptions, HelpAndVersionAreNoFailure) {
  for (const std::vector<const char*>& arguments :
       {std::vector<const char*>{"--help"}, {"--version"}, {"diagnose", "--help"}}) {
    const Options options = Parse(arguments);
    ASSERT_TRUE(std::holds_alternative<Ended>(options));
    EXPECT_EQ(std::get<Ended>(options).code, 0);
    EXPECT_THAT(std::get<Ended>(options).text, HasSubstr("gpuwhy"));
  }
}

TEST(AskedLanguage, IsFoundInBothSpellings) {
  const char* const apart[] = {"gpuwhy", "diagnose", "--lang", "es"};
  const char* const joined[] = {"gpuwhy", "--lang=es"};
  const char* const cut[] = {"gpuwhy", "--lang"};
  EXPECT_EQ(AskedLanguage(4, apart), "es");
  EXPECT_EQ(AskedLanguage(2, joined), "es");
  EXPECT_EQ(AskedLanguage(2, cut), "");
}

}  // namespace
}  // namespace gpuwhy
