// Facts from rows of host tools.
#include "derive/pasted_host.h"

#include <gtest/gtest.h>

namespace gpuwhy {
namespace {

using F = HostField;

HostRow Row(HostTable table, const std::string& name, ReportSpan span, std::uint32_t sample) {
  HostRow row;
  row.table = table;
  row.span = span;
  row.tool = "tool";
  row.file = "host.txt";
  row.name = name;
  row.sample = sample;
  row.line = 10 + sample;
  row.text = name + " as printed";
  return row;
}

HostRow Cpu(ReportSpan span, std::uint32_t sample, double steal) {
  HostRow row = Row(HostTable::kCpu, "all", span, sample);
  row.Set(F::kUser, 0.5);
  row.Set(F::kIdle, 0.4 - steal);
  row.Set(F::kIowait, 0.1);
  row.Set(F::kSteal, steal);
  return row;
}

TEST(PastedHost, AMeanOverReportsOfNowWithTheLineOfTheLargest) {
  FactSet facts;
  DerivePastedCpu({Cpu(ReportSpan::kSinceStart, 0, 0.4), Cpu(ReportSpan::kInterval, 1, 0.1),
                   Cpu(ReportSpan::kInterval, 2, 0.3), Cpu(ReportSpan::kAverage, 0, 0.2)},
                  facts);
  const Fact* steal = facts.Find(FactId::kHostCpuSteal, Subject{});
  ASSERT_NE(steal, nullptr);
  EXPECT_DOUBLE_EQ(steal->Number(), 0.2);
  EXPECT_EQ(steal->interval, (Interval{0.1, 0.3}));
  EXPECT_EQ(steal->stat.n, 2U);
  EXPECT_EQ(steal->provenance.source, "host.txt:12");
  EXPECT_DOUBLE_EQ(*facts.Number(FactId::kHostCpuBusy, Subject{}), 0.5);
}

TEST(PastedHost, AReportOfTheTimeSinceBootGivesNoFigureOfNow) {
  FactSet facts;
  DerivePastedCpu({Cpu(ReportSpan::kSinceStart, 0, 0.4)}, facts);
  const Reading<double> steal = facts.Number(FactId::kHostCpuSteal, Subject{});
  ASSERT_FALSE(steal.has());
  EXPECT_EQ(steal.missing().why, Why::kNotSampled);
  EXPECT_FALSE(steal.missing().detail.empty());
}

TEST(PastedHost, TheCoreWithMostInterrupts) {
  std::vector<HostRow> rows = {Row(HostTable::kCpu, "all", ReportSpan::kInterval, 0)};
  for (const char* name : {"0", "1", "2"}) {
    HostRow row = Row(HostTable::kCpu, name, ReportSpan::kInterval, 0);
    row.Set(F::kSoftirq, name[0] == '1' ? 0.97 : 0.01);
    row.Set(F::kIdle, name[0] == '1' ? 0.0 : 0.9);
    rows.push_back(row);
  }
  FactSet facts;
  DerivePastedCpu(rows, facts);
  EXPECT_DOUBLE_EQ(*facts.Number(FactId::kHostCoreInterrupts, Subject{}), 0.97);
  EXPECT_DOUBLE_EQ(*facts.Number(FactId::kHostCoresFull, Subject{}), 1);
  EXPECT_DOUBLE_EQ(*facts.Number(FactId::kHostCpus, Subject{}), 3);
}

TEST(PastedHost, OneWaitForReadsAndWritesIsThatOfTheReadsWhereThereAreOnlyReads) {
  const Subject disk{SubjectKind::kBlockDevice, "sda"};
  HostRow row = Row(HostTable::kBlock, "sda", ReportSpan::kInterval, 1);
  row.Set(F::kAwait, 0.05);
  row.Set(F::kReadOps, 90);
  row.Set(F::kWriteOps, 9);
  FactSet facts;
  DerivePastedIo({row}, facts);
  EXPECT_DOUBLE_EQ(*facts.Number(FactId::kBlockReadAwait, disk), 0.05);
  row.values.back().value = 20.0;
  FactSet mixed;
  DerivePastedIo({row}, mixed);
  EXPECT_FALSE(mixed.Number(FactId::kBlockReadAwait, disk).has());
}

HostRow Process(const std::string& pid, const std::string& command, std::uint32_t sample) {
  HostRow row = Row(HostTable::kProcess, pid, ReportSpan::kInterval, sample);
  row.Set(F::kCommand, command);
  row.Set(F::kState, std::string("D"));
  row.Set(F::kCores, 0.5);
  return row;
}

TEST(PastedHost, TheJobIsWhatIsOnAGpuItsChildrenAndWhatIsNamedSo) {
  Pasted pasted;
  pasted.processes.emplace_back();
  pasted.processes.back().pid = 7001;
  pasted.processes.back().type = "C";
  HostRow child = Process("7044", "python3", 0);
  child.Set(F::kParent, 7001);
  pasted.host = {Process("7001", "./train", 0), child, Process("9", "/usr/bin/python3 x.py", 0),
                 Process("5", "/usr/bin/python3 /usr/bin/networkd-dispatcher", 0),
                 Process("6", "postgres", 0)};
  FactSet facts;
  DerivePastedProcesses(pasted, facts);
  const auto flag = [&](FactId id, const char* pid) {
    const Fact* fact = facts.Find(id, {SubjectKind::kProcess, pid});
    return fact != nullptr && std::get<bool>(*fact->value);
  };
  EXPECT_TRUE(flag(FactId::kProcessOnGpu, "7001"));
  EXPECT_TRUE(flag(FactId::kProcessLoader, "7044"));
  // Where a pid is known on a GPU, a name alone makes no process the job's.
  EXPECT_EQ(facts.Find(FactId::kProcessCommand, {SubjectKind::kProcess, "9"}), nullptr);
  EXPECT_DOUBLE_EQ(*facts.Number(FactId::kHostOthersRun, Subject{}), 1.5);
  pasted.processes.clear();
  FactSet by_name;
  DerivePastedProcesses(pasted, by_name);
  EXPECT_NE(by_name.Find(FactId::kProcessCommand, {SubjectKind::kProcess, "9"}), nullptr);
  EXPECT_EQ(by_name.Find(FactId::kProcessCommand, {SubjectKind::kProcess, "5"}), nullptr);
}

TEST(PastedHost, AStateIsOfTheMomentEvenInAFirstScreen) {
  Pasted pasted;
  pasted.host = {Process("9", "python3 x.py", 0), Process("9", "python3 x.py", 1)};
  pasted.host[0].span = ReportSpan::kSinceStart;
  FactSet facts;
  DerivePastedProcesses(pasted, facts);
  const Subject process{SubjectKind::kProcess, "9"};
  EXPECT_EQ(facts.Find(FactId::kProcessBlocked, process)->stat.n, 2U);
  EXPECT_EQ(facts.Find(FactId::kProcessRun, process)->stat.n, 1U);
}

}  // namespace
}  // namespace gpuwhy
