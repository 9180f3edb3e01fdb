// Runs tests/ranking/*.toml: what the ranking must answer, each with the argument why. For each
// case, and for random sets of findings, the answer must not depend on the order of the input.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <numeric>
#include <random>
#include <set>

#include <toml++/toml.h>

#include "diagnose/ranking.h"

namespace gpuwhy {
namespace {

namespace fs = std::filesystem;

struct Case {
  std::string name, why;
  RankingContext context;
  std::vector<Finding> findings;
  std::string verdict, effect, confidence;  ///< the last two may be empty: not asked
  std::vector<std::string> order, alerts;
  std::map<std::string, std::vector<std::string>> explained_by;  ///< not listed: must be empty
  std::map<std::string, double> low;
};

std::vector<std::string> Strings(const toml::node_view<const toml::node>& node) {
  std::vector<std::string> strings;
  if (const toml::array* array = node.as_array()) {
    for (const toml::node& item : *array) strings.push_back(item.value_or(std::string("?")));
  }
  return strings;
}

Subject ParseSubject(const std::string& text) {
  const std::size_t colon = text.find(':');
  const std::string kind = text.substr(0, colon);
  for (int i = 0; i <= static_cast<int>(SubjectKind::kInput); ++i) {
    const SubjectKind candidate = static_cast<SubjectKind>(i);
    if (SubjectKindId(candidate) != kind) continue;
    return {candidate, colon == std::string::npos ? std::string() : text.substr(colon + 1)};
  }
  ADD_FAILURE() << "no such subject: " << text;
  return {};
}

template <class Enum>
Enum ParseName(const std::string& text, int last) {
  for (int i = 0; i <= last; ++i) {
    if (Name(static_cast<Enum>(i)) == text) return static_cast<Enum>(i);
  }
  ADD_FAILURE() << "no such name: " << text;
  return {};
}

Finding ParseFinding(const toml::table& t) {
  Finding finding;
  finding.id = t["id"].value_or(std::string());
  EXPECT_NE(FindFinding(finding.id), nullptr) << finding.id;
  finding.subject = ParseSubject(t["subject"].value_or(std::string()));
  finding.severity = ParseName<Severity>(t["severity"].value_or(std::string()), 2);
  finding.confidence = ParseName<Confidence>(t["confidence"].value_or(std::string()), 2);
  if (const toml::table* cost = t["cost"].as_table()) {
    finding.cost = Cost{(*cost)["share"].value_or(-1.0), (*cost)["low"].value_or(-1.0),
                        (*cost)["high"].value_or(-1.0),
                        ParseName<CostBasis>((*cost)["basis"].value_or(std::string()), 3)};
  }
  if (t.contains("bound")) finding.bound = t["bound"].value_or(-1.0);
  finding.causes = Strings(t["causes"]);
  return finding;
}

Case ParseCase(const fs::path& path) {
  const toml::table root = toml::parse_file(path.string());
  Case c;
  c.name = path.stem().string();
  c.why = root["why"].value_or(std::string());
  c.context.job_seen = root["context"]["job_seen"].value_or(false);
  c.context.device_idle = root["context"]["device_idle"].value_or(0.0);
  for (const toml::node& node : *root["finding"].as_array()) {
    c.findings.push_back(ParseFinding(*node.as_table()));
  }
  const auto expect = root["expect"];
  c.verdict = expect["verdict"].value_or(std::string());
  c.effect = expect["effect"].value_or(std::string());
  c.confidence = expect["confidence"].value_or(std::string());
  c.order = Strings(expect["order"]);
  c.alerts = Strings(expect["alerts"]);
  if (const toml::table* edges = expect["explained_by"].as_table()) {
    for (const auto& [id, causes] : *edges) {
      c.explained_by[std::string(id.str())] = Strings(toml::node_view<const toml::node>(causes));
    }
  }
  if (const toml::table* lows = expect["low"].as_table()) {
    for (const auto& [id, low] : *lows) c.low[std::string(id.str())] = low.value_or(-1.0);
  }
  return c;
}

std::vector<fs::path> CaseFiles() {
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::directory_iterator(GPUWHY_RANKING_CASES)) {
    if (entry.path().extension() == ".toml") files.push_back(entry.path());
  }
  std::sort(files.begin(), files.end());
  return files;
}

/// All that ranking decides, as text: two rankings are the same where this is.
std::string Text(const Ranking& ranking) {
  std::string text = ranking.verdict ? "verdict " + std::to_string(*ranking.verdict) : "none";
  for (const Finding& f : ranking.findings) {
    text += "\n" + f.id + " " + f.subject.Text() + " " + std::string(Name(f.effect)) + " " +
            std::string(Name(f.confidence)) + " " + std::to_string(f.cost ? f.cost->low : -1) +
            " " + std::to_string(f.cost ? f.cost->share : -1) + " " +
            std::to_string(f.bound.value_or(-1));
    for (const std::string& cause : f.explained_by) text += " <- " + cause;
  }
  for (const std::string& alert : ranking.alerts) text += "\nalert " + alert;
  return text;
}

/// All permutations up to six findings, else 500 seeded shuffles.
void ExpectSameInEveryOrder(const std::vector<Finding>& findings, const RankingContext& context) {
  const std::string expected = Text(Rank(findings, context, RankingPolicy{}));
  std::vector<std::size_t> order(findings.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937 random(4711);
  const bool all = findings.size() <= 6;
  for (int round = 0; all || round < 500; ++round) {
    if (!all) std::shuffle(order.begin(), order.end(), random);
    std::vector<Finding> permuted;
    for (const std::size_t i : order) permuted.push_back(findings[i]);
    ASSERT_EQ(Text(Rank(std::move(permuted), context, RankingPolicy{})), expected);
    if (all && !std::next_permutation(order.begin(), order.end())) break;
  }
}

class RankingCase : public ::testing::TestWithParam<fs::path> {};

TEST_P(RankingCase, GivesTheArgumentedAnswer) {
  const Case c = ParseCase(GetParam());
  SCOPED_TRACE(c.why);
  ASSERT_GT(c.why.size(), 60U) << "a case argues its answer";
  const Ranking ranking = Rank(c.findings, c.context, RankingPolicy{});

  std::vector<std::string> order;
  for (const Finding& finding : ranking.findings) order.push_back(finding.id);
  EXPECT_EQ(order, c.order);
  EXPECT_EQ(ranking.alerts, c.alerts);
  for (const Finding& finding : ranking.findings) {
    const auto edges = c.explained_by.find(finding.id);
    EXPECT_EQ(finding.explained_by,
              edges == c.explained_by.end() ? std::vector<std::string>() : edges->second)
        << finding.id;
    const auto low = c.low.find(finding.id);
    if (low == c.low.end()) continue;
    ASSERT_TRUE(finding.cost.has_value()) << finding.id;
    EXPECT_DOUBLE_EQ(finding.cost->low, low->second) << finding.id;
  }
  if (!ranking.verdict) {
    EXPECT_EQ(c.verdict, "none");
    return;
  }
  const Finding& verdict = ranking.findings.at(*ranking.verdict);
  EXPECT_EQ(verdict.id, c.verdict);
  EXPECT_EQ(Name(verdict.effect), c.effect);
  if (!c.confidence.empty()) {
    EXPECT_EQ(Name(verdict.confidence), c.confidence);
  }
}

TEST_P(RankingCase, DoesNotDependOnTheOrderOfTheInput) {
  const Case c = ParseCase(GetParam());
  ExpectSameInEveryOrder(c.findings, c.context);
}

INSTANTIATE_TEST_SUITE_P(Files, RankingCase, ::testing::ValuesIn(CaseFiles()),
                         [](const auto& parameter) {
                           std::string name = parameter.param.stem().string();
                           std::replace(name.begin(), name.end(), '-', '_');
                           return name;
                         });

TEST(RankingCases, HoldTheTenSituations) {
  std::set<std::string> numbers;
  for (const fs::path& path : CaseFiles()) numbers.insert(path.filename().string().substr(0, 2));
  for (const char* number : {"01", "02", "03", "04", "05", "06", "07", "08", "09", "10"}) {
    EXPECT_EQ(numbers.count(number), 1U) << number;
  }
}

/// A set of findings that no rule would give: any ids, few subjects (so that causes bind), costs
/// that often collide.
std::vector<Finding> RandomFindings(std::mt19937& random) {
  const auto pick = [&](std::size_t n) {
    return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
  };
  std::vector<Finding> findings(1 + pick(9));
  for (Finding& finding : findings) {
    const FindingInfo& info = AllFindings()[pick(AllFindings().size())];
    finding.id = std::string(info.id);
    finding.subject = {SubjectKind::kJob, std::to_string(pick(2))};
    finding.severity = static_cast<Severity>(pick(3));
    if (info.kind == FindingKind::kLimit) finding.bound = static_cast<double>(pick(11)) / 10;
    if (info.effect == Effect::kSlows && pick(4) != 0) {
      const double low = static_cast<double>(pick(8)) / 20;
      const double share = low + static_cast<double>(pick(4)) / 20;
      finding.cost = Cost{share, low, share + static_cast<double>(pick(4)) / 20, CostBasis::kLaw};
    }
    for (const FindingInfo& cause : AllFindings()) {
      if (MayExplain(cause.id, info) && pick(2) == 0) finding.causes.emplace_back(cause.id);
    }
  }
  return findings;
}

TEST(RankingOfDevices, AFaultOnAGpuThatTheJobDoesNotUseIsNoVerdict) {
  const Subject hot{SubjectKind::kGpu, "GPU-2"};
  const Subject cool{SubjectKind::kGpu, "GPU-1"};
  Finding finding;
  finding.id = "clock.thermal";
  finding.subject = hot;
  RankingContext context;
  context.job_seen = true;
  context.job_gpus = {cool};
  EXPECT_FALSE(Rank({finding}, context, {}).verdict);
  EXPECT_EQ(Rank({finding}, context, {}).findings.size(), 1U) << "it is still told";
  context.job_gpus = {cool, hot};
  EXPECT_TRUE(Rank({finding}, context, {}).verdict);
  context.job_gpus.clear();
  EXPECT_TRUE(Rank({finding}, context, {}).verdict) << "not known which it uses";
}

TEST(RankingProperty, RandomFindingsGiveOneAnswerInEveryOrder) {
  std::mt19937 random(20240229);
  for (int round = 0; round < 150; ++round) {
    std::vector<Finding> findings = RandomFindings(random);
    const RankingContext context{round % 2 == 0, round % 3 == 0 ? 0.5 : 0.0};
    const std::string expected = Text(Rank(findings, context, RankingPolicy{}));
    for (int shuffle = 0; shuffle < 30; ++shuffle) {
      std::shuffle(findings.begin(), findings.end(), random);
      ASSERT_EQ(Text(Rank(findings, context, RankingPolicy{})), expected);
    }
  }
}

TEST(RankingProperty, NothingIsLostAndTheVerdictIsARootThatMayBeOne) {
  std::mt19937 random(7);
  for (int round = 0; round < 500; ++round) {
    const std::vector<Finding> findings = RandomFindings(random);
    const Ranking ranking = Rank(findings, {round % 2 == 0, 0.2}, RankingPolicy{});
    ASSERT_EQ(ranking.findings.size(), findings.size());
    if (!ranking.verdict) continue;
    ASSERT_EQ(*ranking.verdict, 0U);
    const Finding& verdict = ranking.findings.front();
    EXPECT_TRUE(verdict.explained_by.empty()) << verdict.id;
    const FindingKind kind = verdict.Info().kind;
    EXPECT_TRUE(kind == FindingKind::kFault || kind == FindingKind::kLimit ||
                verdict.id == "job.healthy")
        << verdict.id;
  }
}

/// Explaining a symptom must never leave the engineer without the answer that the symptom was.
TEST(RankingProperty, ExplainingNeverTurnsAnAnswerIntoNone) {
  std::mt19937 random(99);
  int explained = 0;
  for (int round = 0; round < 500; ++round) {
    const std::vector<Finding> findings = RandomFindings(random);
    const RankingContext context{true, 0};
    RankingPolicy no_causes;
    no_causes.explained = 1e9;  // nothing with a cost is ever covered
    const Ranking plain = Rank(findings, context, no_causes);
    const Ranking ranking = Rank(findings, context, RankingPolicy{});
    if (plain.verdict) {
      EXPECT_TRUE(ranking.verdict.has_value()) << Text(plain) << "\n---\n" << Text(ranking);
    }
    explained += Text(plain) != Text(ranking);
  }
  EXPECT_GT(explained, 0) << "the property was never put to the test";
}

}  // namespace
}  // namespace gpuwhy
