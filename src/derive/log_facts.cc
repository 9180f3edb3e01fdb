#include "derive/log_facts.h"

#include <array>
#include <string_view>

#include "base/i18n.h"
#include "derive/log_writer.h"
#include "derive/statement_facts.h"
#include "derive/table_facts.h"
#include "derive/training_facts.h"

namespace gpuwhy {
namespace {

/// Statements speak of the host: which file they were in does not matter to what they mean.
void DeriveStatements(const LogText& log, LogWriter& writer) {
  for (const StatementSeen& seen : log.statements) {
    for (const QuotedLine& quote : seen.quotes)
      writer.Line(FactOf(seen.statement), quote, Subject{});
  }
}

struct ToolBlind {
  std::string_view tool;
  const char *what, *why, *how;
};

constexpr std::array<ToolBlind, 8> kToolBlinds = {{
    {"jobstats", N_("what the GPUs wait for while they are not used"),
     N_("jobstats gives one mean for the whole job"),
     N_("run gpuwhy on a node of the job while it runs")},
    {"seff", N_("what limited the job"),
     N_("seff gives one mean for the whole job and nothing of the GPU"),
     N_("run gpuwhy on a node of the job while it runs")},
    {"iostat", N_("whether the job waits for these devices"),
     N_("iostat speaks of the host, and its first report of the time since boot"),
     N_("iostat -x 5 3 while the job runs, and gpuwhy to see whether its own threads wait in "
        "reads")},
    {"nfsiostat", N_("whether the job waits for this mount"),
     N_("nfsiostat speaks of the mount, and its first report of the time since it was mounted"),
     N_("nfsiostat 5 3 while the job runs, and gpuwhy to see whether its own threads wait in "
        "reads")},
    {"vmstat", N_("whether the job is short of CPUs or waits for input"),
     N_("vmstat counts all processes of the host"),
     N_("run gpuwhy while the job runs: it reads the run delay of the job's own threads")},
    {"mpstat", N_("whether the job is short of CPUs"),
     N_("mpstat counts all processes of the host"),
     N_("run gpuwhy while the job runs: it reads the run delay of the job's own threads")},
    {"top", N_("what the job's threads wait for"), N_("top shows one moment"),
     N_("run gpuwhy while the job runs")},
    {"cprofile", N_("how long the copy to the device itself takes"),
     N_("a call that copies also waits for the kernels before it, and the first one for the start "
        "of CUDA"),
     N_("profile steps after the first with torch.profiler, or call torch.cuda.synchronize() "
        "before the copy")},
}};

void NoteTool(const LogText& log, FactSet& facts) {
  for (const ToolBlind& blind : kToolBlinds) {
    if (blind.tool == log.summary_tool)
      facts.blinds.push_back({Tr(blind.what), Tr(blind.why), Tr(blind.how), {}});
  }
}

}  // namespace

void DeriveLogs(const std::vector<LogText>& logs, FactSet& facts) {
  for (const LogText& log : logs) {
    LogWriter writer(log.name, facts);
    DeriveStatements(log, writer);
    if (log.training) DeriveTraining(*log.training, writer, facts);
    DeriveRefused(log, writer);
    DeriveProfiles(log, writer);
    DeriveBandwidths(log, writer);
    DerivePorts(log, writer);
    DeriveHostTexts(log, writer);
    NoteTool(log, facts);
  }
}

}  // namespace gpuwhy
