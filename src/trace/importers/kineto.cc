#include "trace/importers/kineto.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <utility>

#include "base/i18n.h"
#include "trace/classify.h"
#include "trace/importers/chrome_tracks.h"
#include "trace/importers/kineto_event.h"
#include "trace/importers/kineto_metadata.h"
#include "trace/importers/kineto_pairs.h"
#include "trace/importers/op_shapes.h"

namespace gpuwhy::trace {
namespace {

// Longer than any profile: a duration beyond this is an overflow of the tracer's clock arithmetic.
constexpr std::int64_t kMaxDuration = std::int64_t{7} * 24 * 3600 * 1'000'000'000;

// Stamps outside are garbage, and differences of those inside do not overflow: 1934 to 2116.
constexpr std::int64_t kEarliest = -(std::int64_t{1} << 60U);
constexpr std::int64_t kLatest = std::int64_t{1} << 62U;

enum class Row : unsigned char { kSkip, kKernel, kCopy, kMemset, kHost };

struct Category {
  Row row = Row::kSkip;
  HostKind host = HostKind::kOther;
};

Category Classify(std::string_view c) {
  if (c == "kernel" || c == "Kernel" || c == "mtia_ccp_events") return {Row::kKernel};
  if (c == "gpu_memcpy" || c == "Memcpy") return {Row::kCopy};
  if (c == "gpu_memset" || c == "Memset") return {Row::kMemset};
  if (c == "cpu_op" || c == "Operator") return {Row::kHost, HostKind::kOp};
  if (c == "cuda_runtime" || c == "Runtime" || c == "mtia_runtime")
    return {Row::kHost, HostKind::kRuntime};
  if (c == "cuda_driver") return {Row::kHost, HostKind::kDriver};
  if (c == "user_annotation" || c == "UserAnnotation") return {Row::kHost, HostKind::kAnnotation};
  if (c == "cuda_sync") return {Row::kHost, HostKind::kSync};
  if (c == "overhead") return {Row::kHost, HostKind::kOverhead};
  if (c == "python_function" || c == "Python") return {Row::kHost, HostKind::kPython};
  return {};
}

class Importer {
 public:
  explicit Importer(const std::string& file) {
    timeline_.file = file;
    timeline_.format = "kineto";
  }

  bool Take(simdjson::ondemand::object& object) {
    RawEvent event;
    if (!ReadEvent(object, event)) return false;
    if (event.phase == 'B') {
      if (!pairs_.Begin(event)) Lose("unpaired");
      return true;
    }
    if (event.phase == 'M') tracks_.Name(event);
    if (event.phase != 'X' && event.phase != 'E') return true;
    if (event.phase == 'E' && !pairs_.End(event)) {
      Lose("unpaired");
      return true;
    }
    Add(event);
    return true;
  }

  Timeline Finish(JsonWalk walk) {
    timeline_.events = walk.events;
    for (const auto& [reason, count] : walk.lost) timeline_.lost[reason] += count;
    if (pairs_.Open() > 0) timeline_.lost["unpaired"] += pairs_.Open();
    if (!walk.error.empty()) timeline_.problems.push_back(std::move(walk.error));
    timeline_.resolution_ns = decimals_ >= 3   ? 1
                              : decimals_ == 2 ? 10
                              : decimals_ == 1 ? 100
                                               : 1000;
    shapes_.Finish(timeline_);
    tracks_.Finish(timeline_);
    ReadKinetoMetadata(walk.metadata, timeline_);
    return std::move(timeline_);
  }

 private:
  void Add(const RawEvent& event) {
    const Category category = Classify(event.category);
    const bool other = category.row == Row::kSkip;
    if (other && (has_rows_ || IsSkippedCategory(event.category))) return;
    if (!event.start_ns || !event.duration_ns) {
      Lose("no-time");
    } else if (*event.duration_ns < 0) {
      Lose("negative-duration");
    } else if (*event.duration_ns > kMaxDuration || *event.start_ns < kEarliest ||
               *event.start_ns > kLatest) {
      Lose("overflowed-time");
    } else if (other) {
      tracks_.Hold(event, timeline_.names);
    } else {
      AddRow(event, category);
    }
  }

  void AddRow(const RawEvent& event, const Category& category) {
    if (!has_rows_) tracks_.Drop();
    has_rows_ = true;
    if (category.row == Row::kHost) {
      AddHost(event, category.host);
    } else {
      AddDevice(event, category.row);
    }
  }

  void Lose(const char* reason) { ++timeline_.lost[reason]; }

  std::uint32_t LaneOf(const RawEvent& e) {
    std::int64_t device = 0;
    std::from_chars(e.pid.data(), e.pid.data() + e.pid.size(), device);
    const std::pair<std::int64_t, std::int64_t> key{e.device.value_or(device),
                                                    e.stream.value_or(-1)};
    const auto [it, added] =
        lanes_.try_emplace(key, static_cast<std::uint32_t>(timeline_.lanes.size()));
    if (added) timeline_.lanes.push_back({key.first, key.second});
    return it->second;
  }

  std::uint32_t ThreadOf(const RawEvent& e) {
    if (e.pid == last_pid_ && e.tid == last_tid_) return last_thread_;
    const std::pair<NameIndex, NameIndex> key{timeline_.names.Intern(e.pid),
                                              timeline_.names.Intern(e.tid)};
    const auto [it, added] =
        threads_.try_emplace(key, static_cast<std::uint32_t>(timeline_.threads.size()));
    if (added) timeline_.threads.push_back({key.first, key.second});
    last_pid_ = std::string(e.pid);
    last_tid_ = std::string(e.tid);
    return last_thread_ = it->second;
  }

  void AddHost(const RawEvent& e, HostKind kind) {
    decimals_ = std::max(decimals_, e.stamp_decimals);
    if (kind == HostKind::kAnnotation || kind == HostKind::kOp) AddStep(e);
    if (kind == HostKind::kPython) {
      AddFrame(e);
      return;
    }
    HostEvents& host = timeline_.host;
    host.start.push_back(*e.start_ns);
    host.end.push_back(*e.start_ns + *e.duration_ns);
    host.name.push_back(timeline_.names.Intern(e.name));
    host.thread.push_back(ThreadOf(e));
    host.correlation.push_back(e.correlation.value_or(-1));
    host.kind.push_back(kind);
    if (kind == HostKind::kOp && !e.shapes.empty()) shapes_.Add(e.shapes, timeline_);
  }

  void AddFrame(const RawEvent& e) {
    if (*e.duration_ns < kShortestFrameNs) return;
    Frames& frames = timeline_.frames;
    frames.start.push_back(*e.start_ns);
    frames.end.push_back(*e.start_ns + *e.duration_ns);
    frames.name.push_back(timeline_.names.Intern(e.name));
    frames.thread.push_back(ThreadOf(e));
  }

  void AddStep(const RawEvent& e) {
    if (!e.name.starts_with("ProfilerStep#")) return;
    timeline_.steps.push_back(
        {timeline_.names.Intern(e.name), *e.start_ns, *e.start_ns + *e.duration_ns});
  }

  void AddDevice(const RawEvent& e, Row row) {
    decimals_ = std::max(decimals_, e.stamp_decimals);
    DeviceEvents& device = timeline_.device;
    device.start.push_back(*e.start_ns);
    device.end.push_back(*e.start_ns + *e.duration_ns);
    const NameIndex name = timeline_.names.Intern(e.name);
    device.name.push_back(name);
    device.lane.push_back(LaneOf(e));
    device.correlation.push_back(e.correlation.value_or(-1));
    device.work.push_back(WorkOf(e, row, name));
    device.host_memory.push_back(row == Row::kCopy ? CopyHostMemory(e.name) : HostMemory::kUnknown);
    device.bytes.push_back(e.bytes.value_or(0));
    device.detail.push_back(DetailOf(e));
  }

  Work WorkOf(const RawEvent& e, Row row, NameIndex name) {
    if (row == Row::kMemset) return Work::kMemset;
    if (row == Row::kCopy) return CopyDirection(e.name);
    if (is_communication_.size() <= name) is_communication_.resize(name + std::size_t{1}, -1);
    signed char& known = is_communication_[name];
    if (known < 0) known = IsCommunicationKernel(e.name) ? 1 : 0;
    return known == 1 ? Work::kComm : Work::kCompute;
  }

  std::uint32_t DetailOf(const RawEvent& e) {
    KernelDetail detail;
    detail.blocks_per_sm = static_cast<float>(e.blocks_per_sm);
    detail.occupancy = static_cast<float>(e.occupancy);
    detail.blocks = e.blocks;
    detail.collective = timeline_.names.Intern(e.collective);
    detail.group = timeline_.names.Intern(e.group);
    detail.dtype = timeline_.names.Intern(e.dtype);
    detail.group_size =
        static_cast<std::uint32_t>(std::clamp<std::int64_t>(e.group_size, 0, 1 << 24));
    detail.in_elements = e.in_elements;
    detail.out_elements = e.out_elements;
    if (detail == KernelDetail{}) return 0;
    if (detail == timeline_.kernel_details[last_detail_]) return last_detail_;
    const auto key = std::make_tuple(detail.blocks_per_sm, detail.occupancy, detail.blocks,
                                     detail.collective, detail.group, detail.dtype,
                                     detail.group_size, detail.in_elements, detail.out_elements);
    const auto [it, added] =
        details_.try_emplace(key, static_cast<std::uint32_t>(timeline_.kernel_details.size()));
    if (added) timeline_.kernel_details.push_back(detail);
    return last_detail_ = it->second;
  }

  using DetailKey = std::tuple<float, float, std::uint32_t, NameIndex, NameIndex, NameIndex,
                               std::uint32_t, std::int64_t, std::int64_t>;

  Timeline timeline_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::uint32_t> lanes_;
  std::map<std::pair<NameIndex, NameIndex>, std::uint32_t> threads_;
  std::map<DetailKey, std::uint32_t> details_;
  std::vector<signed char> is_communication_;  // by name; -1: not asked yet
  std::string last_pid_, last_tid_;
  std::uint32_t last_thread_ = 0, last_detail_ = 0;
  int decimals_ = 0;
  KinetoPairs pairs_;
  OpShapes shapes_;
  ChromeTracks tracks_;
  bool has_rows_ = false;  // of a category that PyTorch writes
};

}  // namespace

Result<Timeline> ImportKineto(ByteStream& stream, const std::string& file, std::size_t chunk) {
  Importer importer(file);
  Result<JsonWalk> walk = WalkJsonEvents(
      stream, [&](simdjson::ondemand::object& event) { return importer.Take(event); }, chunk);
  if (!walk) return Error{walk.error().message, file + walk.error().where, walk.error().sys_errno};
  return importer.Finish(*std::move(walk));
}

}  // namespace gpuwhy::trace
