// slow_fs: a read-only pass-through file system whose open, read and getattr take as long as they
// are told to. A stand-in for a remote mount: every request costs a round trip, many may be in
// flight, and the host's block device never sees any of it.
//
//   slow_fs --source DIR [--open-us N] [--read-us N] [--getattr-us N] [--direct-io] MOUNTPOINT
//
// Nothing is cached between two opens of a file (attributes, names and pages alike), so that every
// item of a job pays again. Stays in the foreground; unmounts on SIGTERM, SIGINT or umount(8).
// Exit codes: 0 unmounted; 1 wrong use; 77 this machine can't mount FUSE (no root, no /dev/fuse).
#define FUSE_USE_VERSION 31

#include <dirent.h>
#include <fcntl.h>
#include <fuse.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <chrono>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

namespace {

constexpr int kSkip = 77;

struct SlowFs {
  std::string source;
  std::string mount_point;
  std::chrono::microseconds open_delay{0}, read_delay{0}, getattr_delay{0};
  bool direct_io = false;
};

const SlowFs& Here() { return *static_cast<const SlowFs*>(fuse_get_context()->private_data); }

std::string Below(const SlowFs& fs, const char* path) { return fs.source + path; }

// A plain sleep holds no lock: requests wait side by side, as round trips do.
void Wait(std::chrono::microseconds delay) {
  if (delay.count() > 0) std::this_thread::sleep_for(delay);
}

int GetAttr(const char* path, struct stat* st, fuse_file_info* /*file*/) {
  const SlowFs& fs = Here();
  Wait(fs.getattr_delay);
  return lstat(Below(fs, path).c_str(), st) == 0 ? 0 : -errno;
}

int ReadDir(const char* path, void* entries, fuse_fill_dir_t fill, off_t /*offset*/,
            fuse_file_info* /*file*/, fuse_readdir_flags /*flags*/) {
  DIR* dir = opendir(Below(Here(), path).c_str());
  if (dir == nullptr) return -errno;
  // One DIR per call: readdir(3) is safe as long as no other thread holds the same one.
  while (const dirent* entry = readdir(dir)) {  // NOLINT(concurrency-mt-unsafe)
    if (fill(entries, entry->d_name, nullptr, 0, fuse_fill_dir_flags{}) != 0) break;
  }
  closedir(dir);
  return 0;
}

int Open(const char* path, fuse_file_info* file) {
  const SlowFs& fs = Here();
  if ((file->flags & O_ACCMODE) != O_RDONLY) return -EROFS;
  Wait(fs.open_delay);
  const int fd = open(Below(fs, path).c_str(), O_RDONLY | O_CLOEXEC);
  if (fd < 0) return -errno;
  file->fh = static_cast<std::uint64_t>(fd);
  file->direct_io = fs.direct_io ? 1 : 0;
  file->keep_cache = 0;
  return 0;
}

int Read(const char* /*path*/, char* bytes, size_t size, off_t offset, fuse_file_info* file) {
  Wait(Here().read_delay);
  const ssize_t got = pread(static_cast<int>(file->fh), bytes, size, offset);
  return got >= 0 ? static_cast<int>(got) : -errno;
}

int Release(const char* /*path*/, fuse_file_info* file) {
  close(static_cast<int>(file->fh));
  return 0;
}

void* Init(fuse_conn_info* /*connection*/, fuse_config* config) {
  config->entry_timeout = 0;
  config->attr_timeout = 0;
  config->negative_timeout = 0;
  config->kernel_cache = 0;
  config->nullpath_ok = 0;
  return fuse_get_context()->private_data;
}

std::optional<std::chrono::microseconds> Micros(std::string_view text) {
  long value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || value < 0) return std::nullopt;
  return std::chrono::microseconds{value};
}

// fuse changes the working directory, so both paths are made absolute first.
std::optional<std::string> Absolute(const char* path) {
  const std::unique_ptr<char, decltype(&std::free)> real{realpath(path, nullptr), &std::free};
  if (!real) return std::nullopt;
  return std::string{real.get()};
}

bool TakeValue(SlowFs& fs, std::string_view name, const char* value) {
  if (name == "--source") {
    fs.source = Absolute(value).value_or("");
    return true;
  }
  const std::optional<std::chrono::microseconds> delay = Micros(value);
  if (!delay) return false;
  if (name == "--open-us") {
    fs.open_delay = *delay;
  } else if (name == "--read-us") {
    fs.read_delay = *delay;
  } else if (name == "--getattr-us") {
    fs.getattr_delay = *delay;
  } else {
    return false;
  }
  return true;
}

std::optional<SlowFs> Options(const std::vector<const char*>& args) {
  SlowFs fs;
  for (std::size_t i = 1; i < args.size(); ++i) {
    const std::string_view name = args[i];
    if (name == "--direct-io") {
      fs.direct_io = true;
    } else if (!name.starts_with("--")) {
      fs.mount_point = Absolute(args[i]).value_or("");
    } else if (i + 1 == args.size() || !TakeValue(fs, name, args[++i])) {
      return std::nullopt;
    }
  }
  if (fs.source.empty() || fs.mount_point.empty()) return std::nullopt;
  return fs;
}

// max_threads: the default of 10 would be a queue of its own in front of 16 loaders.
// allow_other: jobs may run as another user than the one who mounted.
int Serve(SlowFs& fs, const char* program) {
  std::vector<std::string> words = {
      program,       "-f",
      "-o",          "ro,allow_other,max_threads=64,max_idle_threads=64",
      "-o",          "fsname=slow_fs,subtype=slow_fs",
      fs.mount_point};
  std::vector<char*> argv;
  argv.reserve(words.size());
  for (std::string& word : words) argv.push_back(word.data());
  fuse_operations operations{};
  operations.init = Init;
  operations.getattr = GetAttr;
  operations.readdir = ReadDir;
  operations.open = Open;
  operations.read = Read;
  operations.release = Release;
  // 8 is "the loop ended with a code": what libfuse 3.14 makes of SIGTERM. It has unmounted by
  // then.
  constexpr int kEndedBySignal = 8;
  const int ended = fuse_main(static_cast<int>(argv.size()), argv.data(), &operations, &fs);
  return ended == 0 || ended == kEndedBySignal ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  std::optional<SlowFs> fs = Options(std::vector<const char*>(argv, argv + argc));
  if (!fs) {
    std::fprintf(stderr,
                 "usage: slow_fs --source DIR [--open-us N] [--read-us N] [--getattr-us N] "
                 "[--direct-io] MOUNTPOINT (both folders must exist)\n");
    return 1;
  }
  if (geteuid() != 0 || access("/dev/fuse", R_OK | W_OK) != 0) {
    std::fprintf(stderr, "slow_fs: skipped: needs root and /dev/fuse\n");
    return kSkip;
  }
  return Serve(*fs, argv[0]);
}
