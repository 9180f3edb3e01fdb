// The job source against this machine's /proc: forked children that wait on one another.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <linux/futex.h>
#include <poll.h>
#include <semaphore.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "collect/job_source.h"
#include "os/real_host.h"

namespace gpuwhy {
namespace {

// A forked child that runs `body` and is killed and reaped at the end of the test.
class Child {
 public:
  explicit Child(const std::function<void()>& body) : pid_(fork()) {
    if (pid_ == 0) {
      body();
      _exit(0);
    }
  }
  ~Child() {
    kill(pid_, SIGKILL);
    waitpid(pid_, nullptr, 0);
  }
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  [[nodiscard]] std::int32_t Pid() const { return pid_; }

 private:
  pid_t pid_;
};

struct Job {
  std::array<int, 2> pipe_ends{}, socket_ends{}, poll_ends{};
  sem_t* semaphore = nullptr;
  std::string fifo;
};

// The root process forks one waiter for each kind of wait and sleeps itself.
void RunRoot(const Job& job) {
  setpgid(0, 0);
  std::vector<std::function<void()>> waiters = {
      [&] {
        char c = 0;
        (void)!read(job.pipe_ends[0], &c, 1);
      },
      [&] {
        char c = 0;
        (void)!read(job.socket_ends[0], &c, 1);
      },
      [&] { sem_wait(job.semaphore); },
      [&] {
        pollfd watched{job.poll_ends[0], POLLIN, 0};
        poll(&watched, 1, -1);
      },
      [&] { (void)open(job.fifo.c_str(), O_RDONLY); },  // blocks: nobody opens it for writing
  };
  for (const std::function<void()>& waiter : waiters) {
    if (fork() == 0) {
      waiter();
      _exit(0);
    }
  }
  sleep(1000);
}

class RealJob : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_EQ(pipe(job_.pipe_ends.data()), 0);
    ASSERT_EQ(pipe(job_.poll_ends.data()), 0);
    ASSERT_EQ(socketpair(AF_UNIX, SOCK_STREAM, 0, job_.socket_ends.data()), 0);
    void* const memory =
        mmap(nullptr, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ASSERT_NE(memory, MAP_FAILED);
    job_.semaphore = static_cast<sem_t*>(memory);
    ASSERT_EQ(sem_init(job_.semaphore, 1, 0), 0);
    job_.fifo = testing::TempDir() + "gpuwhy_fifo_" + std::to_string(getpid());
    ASSERT_EQ(mkfifo(job_.fifo.c_str(), 0600), 0);
    root_ = std::make_unique<Child>([this] { RunRoot(job_); });
    JobSourceOptions options;
    options.pid = root_->Pid();
    source_ = MakeJobSource(edge_.Get(), interner_, options, nullptr);
    WaitUntilAllAreBlocked();
  }
  void TearDown() override {
    if (root_) kill(-root_->Pid(), SIGKILL);
    munmap(job_.semaphore, 4096);
    unlink(job_.fifo.c_str());
    for (const std::array<int, 2>& ends : {job_.pipe_ends, job_.socket_ends, job_.poll_ends}) {
      close(ends[0]);
      close(ends[1]);
    }
  }

  // Looks until the five waiters and the root are seen blocked in one look; gives up after 20 s.
  void WaitUntilAllAreBlocked() {
    for (int i = 0; i < 1000; ++i) {
      Capture look;
      (void)source_->Look(look);
      last_ = look.thread_samples;
      AppendSamples(capture_, std::move(look));
      if (AllAreBlocked()) break;
      if (capture_.processes.size() == 1 && !DescendantsAreVisible())
        GTEST_SKIP() << "no other process may be looked at here";
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
    capture_.names = interner_.NamesFrom(0);
    capture_.details = interner_.DetailsFrom(0);
  }
  // Each in the call it is here for: a child that has only just been forked, or a thread that a
  // sanitizer adds, is blocked in another.
  [[nodiscard]] bool AllAreBlocked() const {
    return BlockedIn({Syscall::kRead}) == 2 && BlockedIn({Syscall::kFutex}) >= 1 &&
           BlockedIn({Syscall::kPoll, Syscall::kPpoll}) >= 1 &&
           BlockedIn({Syscall::kOpen, Syscall::kOpenat}) >= 1 &&
           BlockedIn({Syscall::kNanosleep, Syscall::kClockNanosleep}) >= 1;
  }
  [[nodiscard]] std::ptrdiff_t BlockedIn(std::initializer_list<Syscall> calls) const {
    return std::count_if(last_.begin(), last_.end(), [&](const ThreadSample& s) {
      return s.call_state == SyscallState::kBlocked &&
             std::find(calls.begin(), calls.end(), s.call) != calls.end();
    });
  }
  [[nodiscard]] bool DescendantsAreVisible() const {
    return capture_.processes[0].waits_visible.has();
  }

  // The last sample of a thread that is blocked in call, with its detail.
  const WaitDetail* DetailOf(std::initializer_list<Syscall> calls) {
    for (const ThreadSample& s : last_) {
      if (s.call_state == SyscallState::kBlocked &&
          std::find(calls.begin(), calls.end(), s.call) != calls.end())
        found_.push_back(s);
    }
    return found_.empty() ? nullptr : &capture_.details[found_.front().detail];
  }
  // Processes that hold an end of this object with this access.
  std::vector<std::int32_t> Holders(std::uint64_t inode, FdAccess access) {
    std::vector<std::int32_t> pids;
    for (const FdSeen& seen : capture_.fds) {
      if (seen.ref.inode == inode && seen.ref.access == access) pids.push_back(seen.pid);
    }
    return pids;
  }

  HostEdge edge_{"/"};
  Interner interner_;
  Job job_;
  std::unique_ptr<Child> root_;
  std::unique_ptr<Source> source_;
  Capture capture_;
  std::vector<ThreadSample> last_, found_;
};

TEST_F(RealJob, TheWholeTreeIsIntroducedOnce) {
  EXPECT_EQ(capture_.processes.size(), 6U);
  for (const ProcessSeen& p : capture_.processes) {
    EXPECT_TRUE(p.pid == root_->Pid() || p.ppid == root_->Pid());
    EXPECT_NE(p.executable, kNoName);
    EXPECT_TRUE(p.waits_visible.has());
    EXPECT_GT(p.cpus_allowed.ValueOr(0), 0U);
  }
  EXPECT_FALSE(capture_.mounts.empty());
}

TEST_F(RealJob, CountersAreRead) {
  ASSERT_GE(capture_.thread_counters.size(), 6U);
  const ThreadCounters& counters = capture_.thread_counters.back();
  EXPECT_TRUE(counters.run_ns.has());
  EXPECT_TRUE(counters.voluntary.has());
  ASSERT_FALSE(capture_.process_counters.empty());
  EXPECT_TRUE(capture_.process_counters.back().read_calls.has());
  EXPECT_TRUE(capture_.process_counters.back().major_faults.has());
  EXPECT_GT(capture_.process_counters.back().resident_kib.ValueOr(0), 0U);
}

TEST_F(RealJob, AReadFromAPipeLeadsToItsWriters) {
  bool pipe_seen = false;
  (void)DetailOf({Syscall::kRead});
  ASSERT_EQ(found_.size(), 2U) << "pipe and socket";
  for (const ThreadSample& s : found_) {
    const WaitDetail& detail = capture_.details[s.detail];
    ASSERT_EQ(detail.fds.size(), 1U);
    EXPECT_TRUE(detail.resolved.has());
    if (capture_.Name(detail.fds[0].target).rfind("pipe:", 0) != 0) continue;
    pipe_seen = true;
    EXPECT_EQ(detail.fds[0].access, FdAccess::kRead);
    EXPECT_EQ(Holders(detail.fds[0].inode, FdAccess::kWrite).size(), 6U) << "all inherited it";
  }
  EXPECT_TRUE(pipe_seen);
}

TEST_F(RealJob, AReadFromASocketLeadsToItsPeer) {
  (void)DetailOf({Syscall::kRead});
  bool peer_held = false;
  for (const ThreadSample& s : found_) {
    const FdRef& fd = capture_.details[s.detail].fds.at(0);
    for (const SocketSeen& socket : capture_.sockets) {
      if (socket.inode != fd.inode) continue;
      EXPECT_EQ(socket.kind, SocketKind::kUnix);
      peer_held = !Holders(socket.peer_inode, FdAccess::kBoth).empty();
    }
  }
  EXPECT_TRUE(peer_held);
}

TEST_F(RealJob, ASemaphoreIsKeyedByItsSharedMapping) {
  const WaitDetail* const detail = DetailOf({Syscall::kFutex});
  ASSERT_NE(detail, nullptr);
  ASSERT_TRUE(detail->futex_address.has());
  EXPECT_FALSE(detail->futex_private);
  std::vector<SharedRegion> holding;
  for (const SharedRegion& r : capture_.regions) {
    if (r.start <= *detail->futex_address && *detail->futex_address < r.end) holding.push_back(r);
  }
  ASSERT_EQ(holding.size(), 6U) << "one in each process";
  EXPECT_EQ(holding.front().inode, holding.back().inode);
  EXPECT_NE(holding.front().inode, 0U);
}

TEST_F(RealJob, APollNamesWhatItWatches) {
  const WaitDetail* const detail = DetailOf({Syscall::kPoll, Syscall::kPpoll});
  ASSERT_NE(detail, nullptr);
  ASSERT_EQ(detail->fds.size(), 1U);
  EXPECT_EQ(detail->fds[0].fd, job_.poll_ends[0]);
  EXPECT_FALSE(detail->wants_write);
  EXPECT_FALSE(detail->timer_only);
  EXPECT_FALSE(Holders(detail->fds[0].inode, FdAccess::kWrite).empty());
}

TEST_F(RealJob, ABlockedOpenNamesItsPath) {
  const WaitDetail* const detail = DetailOf({Syscall::kOpen, Syscall::kOpenat});
  ASSERT_NE(detail, nullptr);
  EXPECT_EQ(capture_.Name(detail->path), job_.fifo);
}

TEST_F(RealJob, ASleepIsATimer) {
  const WaitDetail* const detail = DetailOf({Syscall::kNanosleep, Syscall::kClockNanosleep});
  ASSERT_NE(detail, nullptr);
  EXPECT_TRUE(detail->timer_only);
}

}  // namespace
}  // namespace gpuwhy
