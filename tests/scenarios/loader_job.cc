// loader_job: a data-loading job without a GPU. Loader processes open, stat and read whole files,
// compute on the bytes, and put items into a queue; one consumer takes them and "trains".
// What it is slow at is chosen by its options and by the file system and cgroup that it runs in.
//
//   loader_job --data DIR [--workers N] [--queue pipe|socketpair|shm] [--read-size BYTES]
//              [--decode-us CPU] [--pace-us SLEEP] [--consume-us SLEEP] [--consume-cpu-us CPU]
//              [--batch N] [--items N] [--seconds S] [--shuffle] [--seed N]
//   loader_job --server [--workers N] [--queue ...]    a pool that waits for requests on a socket
//
// One line a batch: "step K: T s". All processes end with the first one.
#include <fcntl.h>
#include <netinet/in.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "item_queue.h"

namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::microseconds;

struct Options {
  std::string data, queue = "pipe";
  long workers = 4, batch = 32, items = 0, seconds = 60, read_size = 1 << 20, seed = 1;
  long decode_us = 0, pace_us = 0, consume_us = 0, consume_cpu_us = 0;
  bool shuffle = false, server = false;
};

double CpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// One byte of each cache line: enough to touch all that was read, cheap beside reading it.
std::uint64_t Checksum(const std::vector<char>& bytes, std::uint64_t sum) {
  constexpr std::size_t kCacheLine = 64;
  for (std::size_t at = 0; at < bytes.size(); at += kCacheLine) {
    sum = (sum ^ static_cast<unsigned char>(bytes[at])) * 1099511628211U;
  }
  return sum;
}

// Passes over the bytes until that much CPU time is used. CPU time, not wall time: a decoder that
// has to share its core takes longer, which is what a starved one does.
std::uint64_t Compute(const std::vector<char>& bytes, long cpu_us, std::uint64_t sum) {
  const double end = CpuSeconds() + static_cast<double>(cpu_us) * 1e-6;
  const std::vector<char> piece(
      bytes.begin(),
      bytes.begin() + static_cast<std::ptrdiff_t>(std::min<std::size_t>(bytes.size(), 65536)));
  while (CpuSeconds() < end) {
    for (int pass = 0; pass < 4; ++pass) sum = Checksum(piece, sum);
    if (piece.empty()) sum ^= sum << 1U;
  }
  return sum;
}

bool ReadFile(const std::string& path, std::size_t read_size, std::vector<char>& bytes) {
  const int fd = open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return false;
  struct stat st {};
  bool ok = fstat(fd, &st) == 0;
  bytes.resize(ok ? static_cast<std::size_t>(st.st_size) : 0);
  for (std::size_t at = 0; ok && at < bytes.size();) {
    const ssize_t got = read(fd, bytes.data() + at, std::min(read_size, bytes.size() - at));
    ok = got > 0;
    at += ok ? static_cast<std::size_t>(got) : 0;
  }
  close(fd);
  return ok;
}

// Each loader walks its own share of the files, round and round.
void Load(const Options& options, std::vector<std::string> files, long worker, ItemQueue& queue) {
  std::mt19937_64 random(static_cast<std::uint64_t>(options.seed * 1000 + worker));
  std::vector<char> bytes;
  const auto stride = static_cast<std::size_t>(options.workers);
  for (std::uint64_t number = 0;;) {
    if (options.shuffle) std::shuffle(files.begin(), files.end(), random);
    for (auto i = static_cast<std::size_t>(worker) % files.size(); i < files.size(); i += stride) {
      if (!ReadFile(files[i], static_cast<std::size_t>(options.read_size), bytes)) {
        std::fprintf(stderr, "loader_job: can't read %s: %s\n", files[i].c_str(),
                     strerror(errno));  // NOLINT(concurrency-mt-unsafe): one thread
        return;
      }
      Item item;
      item.number = number++;
      item.bytes = bytes.size();
      item.checksum = Compute(bytes, options.decode_us, Checksum(bytes, 0));
      if (options.pace_us > 0) std::this_thread::sleep_for(microseconds{options.pace_us});
      if (!queue.Put(item)) return;
    }
  }
}

void Consume(const Options& options, ItemQueue& queue) {
  const Clock::time_point end = Clock::now() + std::chrono::seconds{options.seconds};
  Clock::time_point step_start = Clock::now();
  const std::vector<char> model(4096, 'x');
  Item item;
  long taken = 0;
  long step = 0;
  while (Clock::now() < end && (options.items == 0 || taken < options.items)) {
    if (!queue.Take(item)) break;
    if (options.consume_us > 0) std::this_thread::sleep_for(microseconds{options.consume_us});
    if (options.consume_cpu_us > 0) {
      item.checksum = Compute(model, options.consume_cpu_us, item.checksum);
    }
    if (++taken % options.batch != 0) continue;
    const Clock::time_point now = Clock::now();
    std::printf("step %ld: %.3f s\n", step++,
                std::chrono::duration<double>(now - step_start).count());
    std::fflush(stdout);
    step_start = now;
  }
  std::printf("items %ld\n", taken);
}

// A front that waits for connections which never come: the pool behind it is idle, not starved.
int ServeRequests(ItemQueue& queue) {
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int poller = epoll_create1(EPOLL_CLOEXEC);
  epoll_event event{};
  event.events = EPOLLIN;
  if (listener < 0 || poller < 0 ||
      bind(listener, reinterpret_cast<const sockaddr*>(&address), sizeof(address)) != 0 ||
      listen(listener, 16) != 0 || epoll_ctl(poller, EPOLL_CTL_ADD, listener, &event) != 0) {
    std::perror("loader_job: server");
    return 1;
  }
  while (epoll_wait(poller, &event, 1, -1) >= 0 || errno == EINTR) {
    const int request = accept4(listener, nullptr, nullptr, SOCK_CLOEXEC);
    if (request < 0) continue;
    close(request);
    if (!queue.Put(Item{})) break;
  }
  return 0;
}

void AnswerRequests(ItemQueue& queue) {
  Item item;
  const std::vector<char> bytes(4096, 'x');
  while (queue.Take(item)) Compute(bytes, 1000, item.checksum);
}

std::vector<std::string> Files(const std::string& dir) {
  std::vector<std::string> files;
  std::error_code error;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(dir, error)) {
    if (!entry.is_directory()) files.push_back(entry.path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

std::optional<Options> Parse(const std::vector<std::string_view>& args) {
  Options o;
  const std::map<std::string_view, long*> numbers = {
      {"--workers", &o.workers},       {"--batch", &o.batch},
      {"--items", &o.items},           {"--seconds", &o.seconds},
      {"--read-size", &o.read_size},   {"--seed", &o.seed},
      {"--decode-us", &o.decode_us},   {"--pace-us", &o.pace_us},
      {"--consume-us", &o.consume_us}, {"--consume-cpu-us", &o.consume_cpu_us}};
  const std::map<std::string_view, std::string*> words = {{"--data", &o.data},
                                                          {"--queue", &o.queue}};
  const std::map<std::string_view, bool*> flags = {{"--shuffle", &o.shuffle},
                                                   {"--server", &o.server}};
  for (std::size_t i = 1; i < args.size(); ++i) {
    if (flags.contains(args[i])) {
      *flags.at(args[i]) = true;
      continue;
    }
    if (i + 1 == args.size()) return std::nullopt;
    const std::string_view name = args[i];
    const std::string_view value = args[++i];
    if (words.contains(name)) {
      *words.at(name) = value;
    } else if (!numbers.contains(name) ||
               std::from_chars(value.data(), value.data() + value.size(), *numbers.at(name)).ec !=
                   std::errc{}) {
      return std::nullopt;
    }
  }
  if (o.workers < 1 || o.batch < 1 || o.read_size < 1) return std::nullopt;
  if (o.data.empty() && !o.server) return std::nullopt;
  return o;
}

// The child ends with its parent, however that ends.
bool Fork(std::vector<pid_t>& children) {
  const pid_t parent = getpid();
  const pid_t child = fork();
  if (child != 0) {
    children.push_back(child);
    return false;
  }
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  return true;
}

int Run(const Options& options) {
  const std::vector<std::string> files =
      options.server ? std::vector<std::string>{} : Files(options.data);
  const std::unique_ptr<ItemQueue> queue = MakeItemQueue(options.queue);
  if (!queue || (files.empty() && !options.server)) {
    std::fprintf(stderr, "loader_job: no such queue, or no files in %s\n", options.data.c_str());
    return 1;
  }
  std::vector<pid_t> children;
  for (long worker = 0; worker < options.workers; ++worker) {
    if (!Fork(children)) continue;
    if (options.server) {
      queue->KeepOnlyTakeEnd();
      AnswerRequests(*queue);
    } else {
      queue->KeepOnlyPutEnd();
      Load(options, files, worker, *queue);
    }
    _exit(0);
  }
  int code = 0;
  if (options.server) {
    queue->KeepOnlyPutEnd();
    code = ServeRequests(*queue);
  } else {
    queue->KeepOnlyTakeEnd();
    Consume(options, *queue);
  }
  for (const pid_t child : children) kill(child, SIGKILL);
  for (const pid_t child : children) waitpid(child, nullptr, 0);
  return code;
}

}  // namespace

int main(int argc, char** argv) {
  const std::optional<Options> options = Parse({argv, argv + argc});
  if (!options) {
    std::fprintf(stderr, "usage: loader_job --data DIR [options] | --server: see loader_job.cc\n");
    return 2;
  }
  std::signal(SIGPIPE, SIG_IGN);
  return Run(*options);
}
