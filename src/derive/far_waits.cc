#include "derive/far_waits.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/i18n.h"
#include "base/percent.h"
#include "base/text.h"
#include "derive/blinds.h"
#include "derive/objects.h"
#include "derive/process_names.h"

namespace gpuwhy {
namespace {

constexpr std::uint64_t kLeastLooks = 10;

/// One look in ten: less is what any program does between two steps.
bool IsWorthSaying(std::uint64_t count, std::uint64_t looks) {
  return count > 0 && looks >= kLeastLooks && count * 10 >= looks;
}

bool MayBeTheAnswer(std::uint64_t count, std::uint64_t looks) { return count * 2 > looks; }

/// "address:port" of the connection that the process waited on most; empty where it is not known.
std::string PeerOf(const JobInWindow& job, const Looks& looks, std::size_t process) {
  std::map<std::uint64_t, const SocketSeen*> sockets;
  for (const SocketSeen& socket : job.capture.sockets) sockets[socket.inode] = &socket;
  std::map<std::string, std::uint64_t> peers;
  for (const ThreadInLook& thread : looks.threads) {
    if (thread.process != process || thread.wait != WaitClass::kNetworkClient) continue;
    if (thread.detail == 0 || thread.detail >= job.capture.details.size()) continue;
    for (const FdRef& fd : job.capture.details[thread.detail].fds) {
      const auto found = sockets.find(InodeOfLink(job.capture.Name(fd.target), "socket:["));
      if (found == sockets.end()) continue;
      const std::string& remote = job.capture.Name(found->second->remote);
      if (!remote.empty()) ++peers[remote];
    }
  }
  const auto most = std::max_element(
      peers.begin(), peers.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return most == peers.end() ? std::string() : Printable(most->first);
}

std::string PeerText(const std::string& peer) {
  return peer.empty() ? std::string(_("a peer outside the job")) : peer;
}

void NotePeer(const JobInWindow& job, const Looks& looks, std::size_t consumer, FactSet& facts) {
  const ProcessSums& sums = looks.sums[consumer];
  if (!IsWorthSaying(sums.network, sums.looks)) return;
  const std::int32_t pid = job.processes.Pid(consumer);
  Blind blind;
  blind.what = Format(_("Process {} waits for the answer of {}"), NameOf(job, consumer),
                      PeerText(PeerOf(job, looks, consumer)));
  blind.why = Format(_("in {} of {} looks; why the far end takes its time can't be seen from here"),
                     sums.network, sums.looks);
  blind.how =
      Format(_("look at that service, and at the connection's rtt and retrans: ss -tinp | grep -A1 "
               "pid={},"),
             pid);
  blind.hides = WaitFindings();
  blind.urgent = MayBeTheAnswer(sums.network, sums.looks);
  facts.blinds.push_back(std::move(blind));
}

/// How the processes at the far end of an empty queue spend their own time, most first.
struct Rest {
  std::uint64_t count = 0;
  std::string text;
};

std::vector<Rest> RestsOf(const JobInWindow& job, const Looks& looks,
                          const std::vector<std::size_t>& fillers) {
  ProcessSums all;
  for (const std::size_t filler : fillers) {
    const ProcessSums& sums = looks.sums[filler];
    all.looks += sums.looks;
    all.timer += sums.timer;
    all.network += sums.network;
    all.external += sums.external;
    all.unnamed += sums.unnamed;
    all.waits_for_child += sums.waits_for_child;
    for (std::size_t s = 0; s < kProcessStates; ++s) all.states[s] += sums.states[s];
  }
  const std::uint64_t requests = all.Count(ProcessState::kRequests);
  std::vector<Rest> rests = {
      {all.timer, _("asleep until a clock rings (a pause, a retry, a limit of the rate)")},
      {requests - std::min(requests, all.timer), _("waiting for a request")},
      {all.network,
       Format(_("waiting for the answer of {}"), PeerText(PeerOf(job, looks, fillers.front())))},
      {all.external, _("reading from outside the job")},
      {all.Count(ProcessState::kUnproven), _("waiting for something whose far end was not found")},
      {all.Count(ProcessState::kUnseen), _("asleep in what may not be read")},
      {all.waits_for_child, _("waiting for a child process")},
      {all.unnamed, _("in a lock or a call that names no resource")}};
  // A tenth of their looks; the rest is not what they do.
  std::erase_if(rests, [&](const Rest& rest) { return rest.count * 10 < all.looks; });
  std::stable_sort(rests.begin(), rests.end(),
                   [](const Rest& a, const Rest& b) { return a.count > b.count; });
  for (Rest& rest : rests) {
    const double share = static_cast<double>(rest.count) / static_cast<double>(all.looks);
    rest.text = Format("{} {}", PercentText(share), rest.text);
  }
  return rests;
}

std::vector<std::size_t> IdleFillersOf(const Looks& looks, std::size_t consumer) {
  std::vector<std::size_t> fillers;
  for (const auto& [edge, count] : looks.idle) {
    if (std::get<0>(edge) == consumer) fillers.push_back(std::get<1>(edge));
  }
  std::sort(fillers.begin(), fillers.end());
  fillers.erase(std::unique(fillers.begin(), fillers.end()), fillers.end());
  return fillers;
}

void NoteIdleLoaders(const JobInWindow& job, const Looks& looks, std::size_t consumer,
                     FactSet& facts) {
  const ProcessSums& sums = looks.sums[consumer];
  if (!IsWorthSaying(sums.idle_queue, sums.looks)) return;
  const std::vector<std::size_t> fillers = IdleFillersOf(looks, consumer);
  if (fillers.empty()) return;
  // Loaders that wait for a queue themselves are idle with it: nobody asks for anything.
  const std::vector<Rest> rests = RestsOf(job, looks, fillers);
  if (rests.empty()) return;
  Blind blind;
  blind.what =
      Format(TrN("Process {} waits, and the one that fills its queue does not work",
                 "Process {} waits, and those that fill its queue do not work", fillers.size()),
             NameOf(job, consumer));
  blind.why = Format(_("in {} of {} looks the queue was empty while none of them ran or read a "
                       "file. {}: {}"),
                     sums.idle_queue, sums.looks, NamesOf(job, fillers), rests.front().text);
  if (rests.size() > 1) blind.why += ", " + rests[1].text;
  const std::int32_t pid = job.processes.Pid(fillers.front());
  blind.how = Format(_("see what they sleep in: py-spy dump --pid {0}, or strace -f -p {0}"), pid);
  blind.hides = WaitFindings();
  blind.urgent = MayBeTheAnswer(sums.idle_queue, sums.looks);
  facts.blinds.push_back(std::move(blind));
}

/// Why the users of the System V object that a process waits for could not be told; empty where
/// that is not what it waits for. A starved consumer is served by the kernel at once, in its own
/// name, so that of a single semaphore it is itself the last user whenever somebody looks.
std::string WhyNoSysvUsers(const Capture& capture, std::int32_t pid) {
  for (const WaitDetail& detail : capture.details) {
    if (detail.pid != pid || !detail.sysv_id) continue;
    if (!detail.resolved) {
      return Format(_("; it waits on a System V object, whose users were not told: {}"),
                    Reason(detail.resolved.missing()));
    }
    return Format(_("; it waits on System V object {}: the kernel names the last process that used "
                    "it, and that was never another one of the job"),
                  *detail.sysv_id);
  }
  return {};
}

void NoteUnproven(const JobInWindow& job, const Looks& looks, const Chain& chain, FactSet& facts) {
  const ProcessSums& sums = looks.sums[chain.consumer];
  const std::int32_t pid = job.processes.Pid(chain.consumer);
  const bool threads = chain.proof == ConsumerProof::kThreads;
  const std::uint64_t unproven =
      sums.Count(ProcessState::kUnproven) + (threads ? sums.main_futex_helped : 0);
  if (!IsWorthSaying(unproven, sums.looks)) return;
  Blind blind;
  blind.what =
      Format(_("Process {} waits, and for whom can't be told"), NameOf(job, chain.consumer));
  if (threads) {
    blind.why = Format(_("in {} of {} looks it was in a private lock while its own threads worked: "
                         "/proc does not show who will release it"),
                       unproven, sums.looks);
    blind.how =
        _("load data in processes instead of threads for a test, or sample its stacks with "
          "py-spy or perf");
  } else {
    blind.why = Format(_("in {} of {} looks it slept in something whose far end could not be found "
                         "in the job"),
                       unproven, sums.looks) +
                WhyNoSysvUsers(job.capture, pid);
    blind.how = Format(
        _("watch the whole job: gpuwhy diagnose --pid with the process that started {}"), pid);
  }
  blind.hides = WaitFindings();
  // The main thread of a job with CUDA may wait for its device like this.
  blind.urgent =
      MayBeTheAnswer(unproven, sums.looks) && !job.processes.At(chain.consumer).maps_cuda;
  facts.blinds.push_back(std::move(blind));
}

/// An idle loop, and one that polls for a file, a flag or a free slot, are the same from outside.
void NoteTimer(const JobInWindow& job, const Looks& looks, const Chain& chain, FactSet& facts) {
  // With loaders that wait for it, its sleep is its own pace: they are not what is missing.
  if (chain.proof == ConsumerProof::kFull) return;
  const ProcessSums& sums = looks.sums[chain.consumer];
  if (!IsWorthSaying(sums.timer, sums.looks)) return;
  const std::int32_t pid = job.processes.Pid(chain.consumer);
  Blind blind;
  blind.what = Format(_("Process {} sleeps until a clock rings"), NameOf(job, chain.consumer));
  blind.why =
      Format(_("in {} of {} looks; whether it has nothing to do, or asks again and again for "
               "a file, a flag or a free slot, can't be seen from here"),
             sums.timer, sums.looks);
  blind.how = Format(_("see what it asks for between its sleeps: timeout 10 strace -f -p {}"), pid);
  blind.hides = {"job.no-demand", "job.stuck"};
  blind.urgent = MayBeTheAnswer(sums.timer, sums.looks);
  facts.blinds.push_back(std::move(blind));
}

}  // namespace

void NoteFarWaits(const JobInWindow& job, const Looks& looks, const Chain& chain, FactSet& facts) {
  NoteIdleLoaders(job, looks, chain.consumer, facts);
  NotePeer(job, looks, chain.consumer, facts);
  NoteUnproven(job, looks, chain, facts);
  NoteTimer(job, looks, chain, facts);
}

}  // namespace gpuwhy
