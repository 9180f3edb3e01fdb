#include "collect/surroundings_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "collect/procfs/cgroup_hierarchy.h"
#include "collect/procfs/job_tree.h"
#include "collect/procfs/proc_paths.h"
#include "parse/procfs/mountinfo.h"
#include "parse/procfs/pid_cgroup.h"
#include "parse/procfs/pid_environ.h"

namespace gpuwhy {
namespace {

constexpr Nanos kEvery = std::chrono::seconds(2);
// Reading who belongs to the job costs as much as one look at all its threads.
constexpr int kLooksBetweenTrees = 5;
// Workers that a rank forks are like it: what is beyond these says nothing new.
constexpr std::size_t kMostProcesses = 256;
constexpr std::size_t kMostNamespaces = 16;
constexpr std::size_t kMostEnvironment = std::size_t{1} << 20U;
constexpr std::size_t kMostSettings = std::size_t{64} << 10U;

/// Devices of GPUs, of their driver, and WSL's stand-in for both.
bool IsGpuFile(std::string_view name) { return name.starts_with("nvidia") || name == "dxg"; }

/// Kinds of file systems whose folders are found without asking a server.
bool IsLocal(std::string_view fs_type) {
  constexpr std::string_view kLocal[] = {"ext2",  "ext3",  "ext4",   "xfs",      "btrfs",
                                         "zfs",   "f2fs",  "erofs",  "squashfs", "overlay",
                                         "tmpfs", "ramfs", "rootfs", "devtmpfs"};
  return std::find(std::begin(kLocal), std::end(kLocal), fs_type) != std::end(kLocal);
}

/// The kind of file system that a folder itself is mounted from; empty: it is no mount point. The
/// last line wins: it covers those before it.
std::string KindAt(const Mountinfo& mounts, std::string_view folder) {
  std::string kind;
  for (const MountLine& line : mounts.mounts) {
    if (line.mount_point == folder) kind = line.fs_type;
  }
  return kind;
}

class SurroundingsSource final : public Source {
 public:
  SurroundingsSource(Host host, Interner& names, std::int32_t pid, std::shared_ptr<JobFocus> focus)
      : host_(host), names_(names), pid_(pid), focus_(std::move(focus)) {}

  [[nodiscard]] std::string_view Name() const override { return "surroundings"; }
  [[nodiscard]] Nanos Period() const override { return kEvery; }
  [[nodiscard]] double Jitter() const override { return 0.2; }
  [[nodiscard]] Nanos Deadline() const override { return std::chrono::seconds(5); }

  [[nodiscard]] std::vector<Missing> Look(Capture& out) override {
    missing_.clear();
    const std::int32_t root = pid_ != 0 ? pid_ : focus_->pid.load();
    if (root == 0) return {};
    ReadSettingsFiles(out);
    if (looks_++ % kLooksBetweenTrees == 0) {
      const Tree tree = ReadTree(host_.files, {root}, 0);
      for (const TreeProcess& process : tree.processes) Admit(process.stat.pid, out);
    }
    for (auto& [space, home] : homes_) LookAtShm(home, out);
    return std::move(missing_);
  }

 private:
  /// A mount namespace, seen through one process in it.
  struct Home {
    std::int32_t pid = 0;
    bool has_shm = false;
    NameId shm = kNoName;  ///< what was last said of it
  };

  /// Keeps the text where it is not what another process had already.
  void Keep(const std::string& path, const std::string& text, Capture& out) {
    out.file_texts.push_back({host_.clock.Now(), names_.Intern(path), names_.Intern(text), true});
  }
  void KeepOnce(std::string_view name, std::int32_t pid, const std::string& text, Capture& out) {
    if (kept_.insert({std::string(name), names_.Intern(text)}).second)
      Keep(ProcessPath(pid, name), text, out);
  }
  /// One that ended meanwhile hides nothing; a reason is given once.
  void Miss(std::string_view what, const Error& error) {
    Missing why = ToMissing(error);
    if (why.why == Why::kNotPresent || !said_.insert(std::string(what)).second) return;
    missing_.push_back(std::move(why));
  }

  void Admit(std::int32_t pid, Capture& out) {
    if (seen_.size() >= kMostProcesses || !seen_.insert(pid).second) return;
    const Result<std::string> limits = host_.files.Read(ProcessPath(pid, "limits"), kMostSettings);
    if (limits) KeepOnce("limits", pid, *limits, out);
    const Result<std::string> environment =
        host_.files.Read(ProcessPath(pid, "environ"), kMostEnvironment);
    if (environment) {
      KeepOnce("environ", pid, AsLines(KnownVariables(*environment, '\0')), out);
    } else {
      Miss("environ", environment.error());
    }
    const Result<std::string> space = host_.files.ReadLink(ProcessPath(pid, "ns/mnt"));
    if (!space) return Miss("ns/mnt", space.error());
    if (homes_.contains(*space) || homes_.size() >= kMostNamespaces) return;
    Enter(pid, homes_[*space], out);
  }

  void Enter(std::int32_t pid, Home& home, Capture& out) {
    home.pid = pid;
    KeepDeviceRules(pid, out);
    const Result<std::string> text = host_.files.Read(ProcessPath(pid, "mountinfo"));
    const Result<Mountinfo> mounts = text ? ParseMountinfo(*text) : Result<Mountinfo>(text.error());
    if (!mounts || !IsLocal(KindAt(*mounts, "/"))) return;
    // Without a mount of its own it lies in the root, which is local.
    const std::string dev = KindAt(*mounts, "/dev");
    if (!dev.empty() && !IsLocal(dev)) return;
    to_configure_.push_back(pid);
    home.has_shm = KindAt(*mounts, "/dev/shm") == "tmpfs";
    const Result<std::vector<std::string>> names = host_.files.List(ProcessPath(pid, "root/dev"));
    if (!names) return Miss("root", names.error());
    std::string devices;
    for (const std::string& name : *names) {
      if (IsGpuFile(name)) devices += name + "\n";
    }
    Keep(ProcessPath(pid, "root/dev"), devices, out);
  }

  /// Version 1 lists what the group may open. Version 2 has a program instead of a list, which
  /// nobody can read: that it is so is kept as a missing text.
  void KeepDeviceRules(std::int32_t pid, Capture& out) {
    const Result<std::string> text = host_.files.Read(ProcessPath(pid, "cgroup"), kMostSettings);
    if (!text) return;
    const std::string path = ProcessPath(pid, "devices.list");
    if (!devices_looked_for_) {
      devices_ = FindCgroupHierarchies(host_.files).devices;
      devices_looked_for_ = true;
    }
    for (const CgroupLine& line : ParsePidCgroup(*text)) {
      if (!line.Has("devices") || !devices_) continue;
      const Reading<std::string> folder = devices_->Folder(line.path);
      if (!folder) continue;
      if (const Result<std::string> list = host_.files.Read(*folder + "/devices.list"))
        return Keep(path, *list, out);
    }
    out.file_texts.push_back({host_.clock.Now(), names_.Intern(path), kNoName,
                              Missing{Why::kNotSupported, "cgroup v2: BPF_CGROUP_DEVICE"}});
  }

  /// After everything else was delivered, because a file of a container may hang: then only this
  /// is lost.
  void ReadSettingsFiles(Capture& out) {
    for (const std::int32_t pid : std::exchange(to_configure_, {})) {
      const std::string path = ProcessPath(pid, "root/etc/nccl.conf");
      const Result<std::string> text = host_.files.Read(path, kMostSettings);
      if (!text) continue;
      const std::string known = AsLines(KnownVariables(*text, '\n'));
      if (!known.empty()) Keep(path, known, out);
    }
  }

  void LookAtShm(Home& home, Capture& out) {
    if (!home.has_shm) return;
    const std::string path = ProcessPath(home.pid, "root/dev/shm");
    const Result<MemorySpace> space = host_.files.SpaceOf(path);
    if (!space) {
      home.has_shm = false;  // it ended, or may not be looked at: not asked again
      return Miss("shm", space.error());
    }
    // In whole percent, so that a text is new only where something changed.
    constexpr std::uint64_t kParts = 100;
    if (space->size == 0) return;
    const std::uint64_t taken = space->size - std::min(space->free, space->size);
    const std::uint64_t part = std::max<std::uint64_t>(space->size / kParts, 1);
    const std::uint64_t used = std::min(taken / part, kParts);
    const NameId text = names_.Intern(fmt::format("size {}\nused {} %\n", space->size, used));
    if (text == home.shm) return;
    home.shm = text;
    out.file_texts.push_back({host_.clock.Now(), names_.Intern(path), text, true});
  }

  Host host_;
  Interner& names_;
  std::int32_t pid_;
  std::shared_ptr<JobFocus> focus_;
  int looks_ = 0;
  bool devices_looked_for_ = false;
  Reading<CgroupHierarchy> devices_;
  std::set<std::int32_t> seen_;
  std::map<std::string, Home> homes_;  // by mount namespace
  std::vector<std::int32_t> to_configure_;
  std::set<std::pair<std::string, NameId>> kept_;
  std::set<std::string> said_;
  std::vector<Missing> missing_;
};

}  // namespace

std::unique_ptr<Source> MakeSurroundingsSource(Host host, Interner& names, std::int32_t pid,
                                               std::shared_ptr<JobFocus> focus) {
  return std::make_unique<SurroundingsSource>(host, names, pid, std::move(focus));
}

}  // namespace gpuwhy
