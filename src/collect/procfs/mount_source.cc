#include "collect/procfs/mount_source.h"

#include <string>

#include "base/i18n.h"
#include "parse/procfs/mountinfo.h"

namespace gpuwhy {
namespace {

constexpr const char* kPath = "/proc/self/mountinfo";

std::string AllOptions(const MountLine& line) {
  std::string all = line.options;
  if (!all.empty() && !line.super_options.empty()) all += ',';
  return HideSecretOptions(all + line.super_options);
}

Mount ToMount(const MountLine& line, std::int32_t pid, Interner& names) {
  Mount mount;
  mount.pid = pid;
  mount.mount_id = line.mount_id;
  mount.parent_id = line.parent_id;
  mount.device = line.device;
  mount.root = names.Intern(line.root);
  mount.mount_point = names.Intern(line.mount_point);
  mount.fs_type = names.Intern(line.fs_type);
  mount.source = names.Intern(HideSecretsOfSource(line.source));
  mount.options = names.Intern(AllOptions(line));
  return mount;
}

class MountSource final : public Source {
 public:
  MountSource(Host host, Interner& names) : files_(host.files), names_(names) {}

  [[nodiscard]] std::string_view Name() const override { return "mount"; }
  [[nodiscard]] Nanos Period() const override { return Nanos{0}; }
  [[nodiscard]] Nanos Deadline() const override { return std::chrono::seconds(2); }

  [[nodiscard]] std::vector<Missing> Look(Capture& out) override {
    if (done_) return {};  // the look at the end of the window: nothing that changes is needed
    done_ = true;
    const Result<std::string> text = files_.Read(kPath);
    if (!text) return {ToMissing(text.error())};
    return AppendMounts(*text, kPath, 0, names_, out);
  }

 private:
  FileTree& files_;
  Interner& names_;
  bool done_ = false;
};

}  // namespace

std::vector<Missing> AppendMounts(std::string_view text, const std::string& path, std::int32_t pid,
                                  Interner& names, Capture& out) {
  const Result<Mountinfo> info = ParseMountinfo(text);
  const std::uint32_t skipped = info ? info->skipped.first : 1;
  if (info) {
    for (const MountLine& line : info->mounts) out.mounts.push_back(ToMount(line, pid, names));
    if (info->skipped.count == 0) return {};
  }
  return {Missing{Why::kFailed, Format(_("{}:{}: is not as the kernel writes it"), path, skipped)}};
}

std::unique_ptr<Source> MakeMountSource(Host host, Interner& names) {
  return std::make_unique<MountSource>(host, names);
}

}  // namespace gpuwhy
