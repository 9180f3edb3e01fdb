// Processes as top, ps and pidstat list them: which are the job's, what they do and what the others
// take.
#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>

#include "base/text.h"
#include "derive/host_rows.h"
#include "derive/pasted_host.h"

namespace gpuwhy {
namespace {

using F = HostField;
constexpr std::size_t kMostProcesses = 256;

/// How a process belongs to the job: seen on a GPU, works for one that is, or so by its name only.
enum class Part : unsigned char { kOther, kByName, kLoader, kOnGpu };

/// Names of the loader's workers that frameworks give, and of interpreters and launchers.
bool IsLoaderName(std::string_view command) {
  return Holds(command, "pt_data_worker") || Holds(command, "pt_data_pin") ||
         Holds(command, "DataLoader");
}
bool IsJobName(std::string_view command) {
  if (IsLoaderName(command)) return true;
  const std::string_view program = Fields(command).empty() ? command : Fields(command).front();
  const std::size_t slash = program.rfind('/');
  const std::string_view name =
      slash == std::string_view::npos ? program : program.substr(slash + 1);
  return name.starts_with("python") || name.starts_with("torchrun") || name.starts_with("ray::") ||
         name.starts_with("tritonserver") || name.starts_with("vllm") || name.starts_with("julia");
}

/// Daemons of the system that are written in Python run as one process each for its whole life.
bool IsSystemScript(std::string_view command) {
  constexpr auto kSigns = std::to_array<std::string_view>(
      {"/usr/bin/networkd", "/usr/share/", "/usr/sbin/", "/usr/lib/", "unattended-upgrade",
       "firewalld", "tuned", "fail2ban", "supervisord"});
  return std::any_of(kSigns.begin(), kSigns.end(),
                     [&](std::string_view sign) { return Holds(command, sign); });
}

std::set<std::string> PidsOnGpus(const Pasted& pasted) {
  std::set<std::string> pids;
  for (const GpuProcess& process : pasted.processes) {
    // Graphics clients only draw.
    if (process.type == "G") continue;
    if (process.pid > 0) pids.insert(std::to_string(process.pid));
  }
  return pids;
}

Part PartOf(const RowGroup& process, const std::set<std::string>& on_gpus) {
  if (on_gpus.contains(process.name)) return Part::kOnGpu;
  std::string command;
  for (const HostRow* row : process.rows) {
    const std::optional<double> parent = row->Number(F::kParent);
    if (parent && on_gpus.contains(std::to_string(static_cast<std::int64_t>(*parent))))
      return Part::kLoader;
    if (row->Text(F::kCommand).size() > command.size()) command = row->Text(F::kCommand);
  }
  if (IsLoaderName(command)) return Part::kLoader;
  return IsJobName(command) && !IsSystemScript(command) ? Part::kByName : Part::kOther;
}

bool IsOfThread(const HostRow& row) { return row.Number(F::kThread).has_value(); }

/// The busiest of the threads that were listed, over all looks.
void WriteThreads(const Subject& subject, const RowGroup& process, HostWriter& writer) {
  std::map<double, RowsOfOne> threads;
  for (const HostRow* row : process.rows) {
    if (IsOfThread(*row) && row->span != ReportSpan::kSinceStart)
      threads[*row->Number(F::kThread)].push_back(row);
  }
  const RowsOfOne* busiest = nullptr;
  double most = 0;
  for (const auto& [thread, rows] : threads) {
    double sum = 0;
    for (const HostRow* row : rows) sum += row->Number(F::kCores).value_or(0);
    const double mean = sum / static_cast<double>(rows.size());
    if (busiest == nullptr || mean > most) busiest = &rows, most = mean;
  }
  if (busiest == nullptr) return;
  writer.Mean(FactId::kProcessThreadBusy, subject, *busiest, FieldOf(F::kCores));
}

void WriteProcess(const RowGroup& process, Part part, HostWriter& writer) {
  const Subject subject{SubjectKind::kProcess, process.name};
  const HostRow& last = *process.rows.back();
  writer.Text(FactId::kProcessCommand, subject, last, last.Text(F::kCommand));
  writer.Flag(FactId::kProcessOnGpu, subject, last, part == Part::kOnGpu);
  writer.Flag(FactId::kProcessLoader, subject, last, part == Part::kLoader);
  writer.Text(FactId::kProcessState, subject, last, last.Text(F::kState));
  const HostWriter::Figure blocked = [](const HostRow& row) -> std::optional<double> {
    const std::string state = row.Text(F::kState);
    if (state.empty()) return std::nullopt;
    return state.front() == 'D' ? 1 : 0;
  };
  // A state is of the moment, whatever the row's other figures speak of.
  RowsOfOne states = process.rows;
  std::vector<HostRow> moments;
  moments.reserve(states.size());
  for (const HostRow* row : states) moments.push_back(*row);
  states.clear();
  for (HostRow& row : moments) {
    row.span = ReportSpan::kMoment;
    states.push_back(&row);
  }
  writer.Mean(FactId::kProcessBlocked, subject, states, blocked);
  for (const HostRow* row : process.rows) {
    if (row->Text(F::kState).starts_with("D") || row == process.rows.back())
      writer.Text(FactId::kProcessKernelWait, subject, *row, row->Text(F::kKernelWait));
  }
  RowsOfOne whole = process.rows;
  std::erase_if(whole, [](const HostRow* row) { return IsOfThread(*row); });
  writer.Mean(FactId::kProcessRun, subject, whole, FieldOf(F::kCores));
  writer.Mean(FactId::kProcessRunWait, subject, whole, FieldOf(F::kRunWait));
  writer.Mean(FactId::kProcessReadRate, subject, whole, FieldOf(F::kReadRate));
  WriteThreads(subject, process, writer);
  writer.Line(subject, last);
}

/// What everybody else used, by look; Missing where only means since their start are listed.
void WriteOthers(const std::map<std::uint32_t, std::pair<double, const HostRow*>>& others,
                 HostWriter& writer) {
  RowsOfOne rows;
  std::vector<double> sums;
  for (const auto& [sample, sum] : others) {
    rows.push_back(sum.second);
    sums.push_back(sum.first);
  }
  if (rows.empty()) return;
  std::size_t next = 0;
  writer.Mean(FactId::kHostOthersRun, Subject{}, rows,
              [&](const HostRow& /*row*/) -> std::optional<double> { return sums[next++]; });
}

}  // namespace

void DerivePastedProcesses(const Pasted& pasted, FactSet& facts) {
  HostWriter writer(facts);
  const std::set<std::string> on_gpus = PidsOnGpus(pasted);
  std::map<std::pair<std::string, std::string>,
           std::map<std::uint32_t, std::pair<double, const HostRow*>>>
      others;
  std::size_t written = 0;
  const std::vector<RowGroup> processes = GroupsOf(pasted.host, HostTable::kProcess);
  const bool known = std::any_of(processes.begin(), processes.end(), [&](const RowGroup& process) {
    return PartOf(process, on_gpus) == Part::kOnGpu;
  });
  for (const RowGroup& process : processes) {
    Part part = PartOf(process, on_gpus);
    // Where the job's process is known by its pid, others of the same name are others.
    if (known && part == Part::kByName) part = Part::kOther;
    if (part != Part::kOther) {
      if (written++ < kMostProcesses) WriteProcess(process, part, writer);
      continue;
    }
    for (const HostRow* row : process.rows) {
      const std::optional<double> cores = row->Number(F::kCores);
      if (!cores || IsOfThread(*row) || row->span != ReportSpan::kInterval) continue;
      auto& sum = others[{process.file, process.tool}][row->sample];
      sum.first += *cores;
      if (sum.second == nullptr || *cores > sum.second->Number(F::kCores).value_or(0))
        sum.second = row;
    }
  }
  for (const auto& [output, sums] : others) WriteOthers(sums, writer);
}

}  // namespace gpuwhy
