#include "trace/importers/xplane.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/i18n.h"
#include "trace/importers/device_names.h"
#include "trace/importers/wire.h"
#include "trace/importers/xplane_messages.h"

namespace gpuwhy::trace {
namespace {

constexpr std::int64_t kPsPerNs = 1000;
constexpr std::int64_t kMaxDurationPs = std::int64_t{7} * 24 * 3600 * 1'000'000'000 * kPsPerNs;
// As for the other formats: differences of times within do not overflow.
constexpr std::int64_t kEarliest = -(std::int64_t{1} << 60U);
constexpr std::int64_t kLatest = std::int64_t{1} << 62U;

// Numbers of the fields in xplane.proto.
enum : int {
  kSpacePlanes = 1,
  kEventName = 1,
  kEventOffset = 2,
  kEventDuration = 3,
  kEventStats = 4,
  kStatName = 1,
  kStatUnsigned = 3,
  kStatSigned = 4,
  kStatText = 5,
  kStatReference = 7,
};

struct Event {
  std::string_view name, copy_details, step_name;
  std::int64_t start = 0, end = 0;
  std::int64_t correlation = -1, step_number = -1;
};

class Importer {
 public:
  /// space: the whole file; outlives this.
  Importer(std::string_view space, const std::string& file) : space_(space) {
    timeline_.file = file;
    timeline_.format = "xplane";
    timeline_.resolution_ns = 1;
  }

  void Take(std::string_view message) {
    XPlane plane;
    if (!ReadPlane(message, plane)) Damage(message);
    stats_.clear();
    for (const auto& [id, name] : plane.stat_names) stats_[id] = StatByName(name);
    const std::int64_t device = NumberBehind(plane.name, "/device:GPU:");
    if (device >= 0) {
      TakeDevice(plane, device);
    } else if (plane.name.starts_with("/host:") && plane.name != "/host:metadata") {
      for (const std::string_view line : plane.lines) TakeHost(plane, line);
    } else {
      TakeEnvironment(plane);
    }
  }

  /// whole: how many bytes of the file are planes. why: why it could not be read on; may be empty.
  Timeline Finish(std::size_t whole, const std::string& why) {
    if (whole < space_.size() || !why.empty()) {
      Lose("truncated");
      timeline_.problems.push_back(
          Format(_("the file is cut or damaged at byte {}{}: what is whole before it is used"),
                 whole, why.empty() ? why : " (" + why + ")"));
    }
    if (first_damage_) {
      timeline_.problems.push_back(Format(_("{} messages of it are damaged, the first at byte {}: "
                                            "what can be read of them is used"),
                                          damaged_, *first_damage_));
    }
    TellCopies();
    // Where the device's plane has steps, the host's markers tell the same ones once more.
    if (timeline_.steps.empty()) timeline_.steps = std::move(host_steps_);
    return std::move(timeline_);
  }

 private:
  void Lose(const char* reason) { ++timeline_.lost[reason]; }

  // message: a view into the file.
  void Damage(std::string_view message) {
    Lose("malformed");
    ++damaged_;
    const auto at = static_cast<std::size_t>(message.data() - space_.data());
    first_damage_ = std::min(first_damage_.value_or(at), at);
  }

  // ROCm copies by kernels, and only the call that launched one knows its direction.
  void TellCopies() {
    DeviceEvents& device = timeline_.device;
    for (std::size_t i = 0; i < device.size(); ++i) {
      if (device.work[i] != Work::kMemcpyOther) continue;
      const auto it = copy_calls_.find(device.correlation[i]);
      if (it != copy_calls_.end()) device.work[i] = it->second;
    }
  }

  [[nodiscard]] XStat StatOf(std::uint64_t id) const {
    const auto it = stats_.find(id);
    return it == stats_.end() ? XStat::kOther : it->second;
  }

  static std::string_view NameOf(const std::unordered_map<std::uint64_t, std::string_view>& names,
                                 std::uint64_t id) {
    const auto it = names.find(id);
    return it == names.end() ? std::string_view() : it->second;
  }

  // Visits what is asked for of the statistics: which, its number, its text.
  template <class Visit>
  bool ReadStat(const XPlane& plane, std::string_view message, const Visit& visit) const {
    XStat stat = XStat::kOther;
    std::uint64_t number = 0;
    std::string_view text;
    const bool whole = ForEachField(message, [&](const WireField& field) {
      switch (field.number) {
        case kStatName:
          stat = StatOf(field.value);
          break;
        case kStatUnsigned:
        case kStatSigned:
          number = field.value;
          break;
        case kStatText:
          text = field.bytes;
          break;
        case kStatReference:
          text = NameOf(plane.stat_names, field.value);
          break;
        default:
          break;
      }
      return true;
    });
    if (stat != XStat::kOther) visit(stat, static_cast<std::int64_t>(number), text);
    return whole;
  }

  static void SetStat(Event& event, XStat stat, std::int64_t number, std::string_view text) {
    if (stat == XStat::kCorrelation) event.correlation = number;
    if (stat == XStat::kCopyDetails) event.copy_details = text;
    if (stat == XStat::kStepNumber) event.step_number = number;
    if (stat == XStat::kStepName) event.step_name = text;
  }

  // nullopt: no event, said in lost where it should have been one.
  std::optional<Event> ReadEvent(const XPlane& plane, const XLine& line, std::string_view message) {
    ++timeline_.events;
    Event event;
    std::int64_t offset = 0;
    std::int64_t duration = 0;
    const bool whole = ForEachField(message, [&](const WireField& field) {
      if (field.number == kEventName) event.name = NameOf(plane.event_names, field.value);
      if (field.number == kEventOffset) offset = static_cast<std::int64_t>(field.value);
      if (field.number == kEventDuration) duration = static_cast<std::int64_t>(field.value);
      if (field.number != kEventStats) return true;
      return ReadStat(plane, field.bytes,
                      [&](XStat stat, std::int64_t number, std::string_view text) {
                        SetStat(event, stat, number, text);
                      });
    });
    if (!whole) {
      Damage(message);
    } else if (event.name.empty() && duration == 0) {
      Lose("malformed");  // neither a name nor time: says nothing, and may be repeated at no cost
    } else if (duration < 0) {
      Lose("negative-duration");
    } else if (duration > kMaxDurationPs || offset < kEarliest || offset > kLatest ||
               line.timestamp_ns < kEarliest || line.timestamp_ns > kLatest / 2) {
      Lose("overflowed-time");
    } else {
      event.start = line.timestamp_ns + offset / kPsPerNs;
      event.end = line.timestamp_ns + (offset + duration) / kPsPerNs;
      return event;
    }
    return std::nullopt;
  }

  void TakeDevice(const XPlane& plane, std::int64_t device) {
    DeviceInfo info{device, {}, 0};
    for (const std::string_view stat : plane.stats) {
      ReadStat(plane, stat, [&](XStat which, std::int64_t number, std::string_view) {
        if (which == XStat::kCoreCount && number > 0 && number < (1 << 20))
          info.sm_count = static_cast<std::uint32_t>(number);
      });
    }
    timeline_.devices.push_back(std::move(info));
    const bool first_with_steps = timeline_.steps.empty();
    for (const std::string_view message : plane.lines) {
      XLine line;
      if (!ReadLine(message, line)) Damage(message);
      const std::int64_t stream = NumberBehind(line.name, "Stream #");
      if (stream >= 0) TakeStream(plane, line, {device, stream});
      if (line.name == "Steps" && first_with_steps) TakeSteps(plane, line);
    }
  }

  void TakeStream(const XPlane& plane, const XLine& line, const Lane& lane) {
    const auto place = static_cast<std::uint32_t>(timeline_.lanes.size());
    timeline_.lanes.push_back(lane);
    DeviceEvents& device = timeline_.device;
    for (const std::string_view message : line.events) {
      const std::optional<Event> event = ReadEvent(plane, line, message);
      if (!event) continue;
      device.start.push_back(event->start);
      device.end.push_back(event->end);
      device.name.push_back(timeline_.names.Intern(event->name));
      device.lane.push_back(place);
      device.correlation.push_back(event->correlation);
      device.work.push_back(WorkByName(event->name));
      device.host_memory.push_back(HostMemoryOfDetails(event->copy_details));
      device.bytes.push_back(BytesOfDetails(event->copy_details));
      device.detail.push_back(0);
    }
  }

  void TakeSteps(const XPlane& plane, const XLine& line) {
    for (const std::string_view message : line.events) {
      const std::optional<Event> event = ReadEvent(plane, line, message);
      if (!event) continue;
      const std::string_view name = event->step_name.empty() ? event->name : event->step_name;
      timeline_.steps.push_back(
          {timeline_.names.Intern("step " + std::string(name)), event->start, event->end});
    }
  }

  void TakeHost(const XPlane& plane, std::string_view message) {
    XLine line;
    if (!ReadLine(message, line)) Damage(message);
    if (line.events.empty()) return;
    const auto thread = static_cast<std::uint32_t>(timeline_.threads.size());
    const std::string id = line.name.empty() ? std::to_string(line.id) : std::string(line.name);
    timeline_.threads.push_back({timeline_.names.Intern(plane.name), timeline_.names.Intern(id)});
    for (const std::string_view text : line.events) {
      const std::optional<Event> event = ReadEvent(plane, line, text);
      if (event) AddHost(*event, thread);
    }
  }

  void AddHost(const Event& event, std::uint32_t thread) {
    const bool call = event.correlation >= 0;
    // Instants, and Python's own functions ("$threading.py:637 wait"): one name tells no more than
    // that Python ran.
    if ((event.start == event.end && !call) || event.name.starts_with('$')) return;
    if (event.step_number >= 0 && !call) {
      const std::string name = std::string(event.name) + " " + std::to_string(event.step_number);
      host_steps_.push_back({timeline_.names.Intern(name), event.start, event.end});
    }
    const std::string_view name = call ? LaunchName(event.name, event.copy_details) : event.name;
    const Work work = WorkByName(name.starts_with("hip") ? name.substr(3) : event.name);
    if (call && work != Work::kCompute && work != Work::kComm)
      copy_calls_.emplace(event.correlation, work);
    HostEvents& host = timeline_.host;
    host.start.push_back(event.start);
    host.end.push_back(event.end);
    host.name.push_back(timeline_.names.Intern(name));
    host.thread.push_back(thread);
    host.correlation.push_back(event.correlation);
    host.kind.push_back(call ? HostKind::kRuntime : HostKind::kOp);
  }

  void TakeEnvironment(const XPlane& plane) {
    for (const std::string_view stat : plane.stats) {
      ReadStat(plane, stat, [&](XStat which, std::int64_t number, std::string_view) {
        if (which != XStat::kProfileStart || number <= 0 || number > kLatest) return;
        timeline_.base_ns = number;
        timeline_.base_known = true;
      });
    }
  }

  std::string_view space_;
  Timeline timeline_;
  std::uint64_t damaged_ = 0;
  std::optional<std::size_t> first_damage_;            // where that message begins
  std::unordered_map<std::uint64_t, XStat> stats_;     // of the plane at hand, by their ids
  std::unordered_map<std::int64_t, Work> copy_calls_;  // by correlation
  std::vector<StepMark> host_steps_;
};

struct Bytes {
  std::string all;
  Error failure;  ///< why they end where they do; no message: that is the end
};

Result<Bytes> ReadAll(ByteStream& stream, const std::string& file) {
  constexpr std::size_t kMost = std::numeric_limits<int>::max();
  constexpr std::size_t kPiece = std::size_t{1} << 20U;
  Bytes bytes;
  for (;;) {
    const std::size_t size = bytes.all.size();
    if (size > kMost) return Error{_("larger than 2 GiB, which no file of this kind is"), file, 0};
    bytes.all.resize(size + kPiece);
    const Result<std::size_t> got = stream.Read({bytes.all.data() + size, kPiece});
    bytes.all.resize(size + (got ? *got : 0));
    // What a cut file holds is used.
    if (!got) bytes.failure = got.error();
    if (!got || *got == 0) return bytes;
  }
}

}  // namespace

bool IsXplane(std::string_view head) {
  constexpr char kFirstPlane = '\x0a';
  constexpr char kId = '\x08';
  constexpr char kName = '\x12';
  if (head.empty() || head.front() != kFirstPlane) return false;
  std::size_t at = 1;
  const auto skip_number = [&] {
    while (at < head.size() && (static_cast<unsigned char>(head[at]) & 0x80U) != 0) ++at;
    ++at;
  };
  skip_number();
  if (at < head.size() && head[at] == kId) {
    ++at;
    skip_number();
  }
  if (at + 2 >= head.size() || head[at] != kName) return false;
  return head.substr(at + 2).starts_with('/') || head.substr(at + 2).starts_with("Task Env");
}

Result<Timeline> ImportXplane(ByteStream& stream, const std::string& file) {
  const Result<Bytes> bytes = ReadAll(stream, file);
  if (!bytes) return bytes.error();
  Importer importer(bytes->all, file);
  std::size_t planes = 0;
  const std::size_t whole = WalkFields(bytes->all, [&](const WireField& field) {
    if (field.number != kSpacePlanes) return true;
    ++planes;
    importer.Take(field.bytes);
    return true;
  });
  if (planes == 0) {
    return Error{_("no plane of this XPlane file can be read"), Format("{}@{}", file, whole),
                 bytes->failure.sys_errno};
  }
  return importer.Finish(whole, bytes->failure.message);
}

}  // namespace gpuwhy::trace
