#include "trace/importers/chrome_tracks.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/i18n.h"
#include "base/text.h"
#include "trace/importers/device_names.h"

namespace gpuwhy::trace {
namespace {

// Beyond these, names of tracks are no names.
constexpr std::size_t kMostTracks = 100'000;
constexpr std::size_t kLongestLabel = 256;

std::int64_t NumberOr(std::string_view text, std::int64_t other) {
  std::int64_t number = other;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

bool LooksLikeDevice(std::string_view process, std::string_view thread) {
  const std::string both = Lower(process) + "\n" + Lower(thread);
  const auto held = [&](std::string_view word) { return Holds(both, word); };
  constexpr auto kOfHosts =
      std::to_array<std::string_view>({"cpu", "host", "thread", "python", "launch"});
  constexpr auto kOfDevices = std::to_array<std::string_view>({"gpu", "cuda", "hip", "stream"});
  return std::none_of(kOfHosts.begin(), kOfHosts.end(), held) &&
         std::any_of(kOfDevices.begin(), kOfDevices.end(), held);
}

}  // namespace

void ChromeTracks::Name(const RawEvent& event) {
  if (event.label.empty() || processes_.size() + threads_.size() > kMostTracks) return;
  const std::string label(event.label.substr(0, kLongestLabel));
  if (event.name == "process_name") processes_[std::string(event.pid)] = label;
  if (event.name == "thread_name")
    threads_[{std::string(event.pid), std::string(event.tid)}] = label;
}

std::uint32_t ChromeTracks::TrackOf(const RawEvent& event) {
  if (last_track_ < tracks_.size() && tracks_[last_track_].pid == event.pid &&
      tracks_[last_track_].tid == event.tid) {
    return last_track_;
  }
  const std::pair<std::string, std::string> key{event.pid, event.tid};
  const auto [it, added] = track_of_.try_emplace(key, static_cast<std::uint32_t>(tracks_.size()));
  if (added) tracks_.push_back({key.first, key.second});
  return last_track_ = it->second;
}

void ChromeTracks::Hold(const RawEvent& event, Names& names) {
  Held held;
  held.start = *event.start_ns;
  held.end = *event.start_ns + *event.duration_ns;
  held.correlation = event.correlation.value_or(-1);
  held.bytes = event.bytes.value_or(BytesOfDetails(event.details));
  held.name = names.Intern(event.name);
  held.track = TrackOf(event);
  held.memory = HostMemoryOfDetails(event.details);
  held.blocks = Holds(event.details, "async:0");
  held_.push_back(held);
}

void ChromeTracks::Drop() {
  held_ = {};
  tracks_ = {};
  track_of_.clear();
}

std::string ChromeTracks::LabelOf(const std::string& pid, const std::string* tid) const {
  if (tid == nullptr) {
    const auto it = processes_.find(pid);
    return it == processes_.end() ? std::string() : it->second;
  }
  const auto it = threads_.find({pid, *tid});
  return it == threads_.end() ? std::string() : it->second;
}

ChromeTracks::Place ChromeTracks::PlaceOf(const Track& track) const {
  const std::string process = LabelOf(track.pid, nullptr);
  const std::string thread = LabelOf(track.pid, &track.tid);
  const std::int64_t device = NumberBehind(process, "device:GPU:");
  if (process.starts_with("/device:")) {  // XProf: a plane
    if (device < 0) return {Kind::kSkip};
    const std::int64_t stream = NumberBehind(thread, "Stream #");
    if (stream >= 0) return {Kind::kDevice, device, stream};
    return {thread == "Steps" ? Kind::kSteps : Kind::kSkip, device, 0};
  }
  if (process.starts_with("/host:")) return {Kind::kHost};
  if (device >= 0 && Holds(process, "stream:")) {  // TensorFlow's own timeline
    const std::int64_t stream = NumberBehind(process, "stream:");
    return {stream >= 0 ? Kind::kDevice : Kind::kSkip, device, stream};
  }
  if (!LooksLikeDevice(process, thread)) return {Kind::kHost};
  std::int64_t stream = NumberBehind(Lower(thread), "stream ");
  if (stream < 0) stream = NumberOr(track.tid, 0);
  std::int64_t number = NumberBehind(Lower(process), "gpu ");
  if (number < 0) number = NumberBehind(Lower(thread), "gpu ");
  return {Kind::kDevice, number < 0 ? 0 : number, stream};
}

void ChromeTracks::AddDevice(Timeline& timeline, const Held& event, std::uint32_t lane) {
  DeviceEvents& device = timeline.device;
  device.start.push_back(event.start);
  device.end.push_back(event.end);
  device.name.push_back(event.name);
  device.lane.push_back(lane);
  device.correlation.push_back(event.correlation);
  device.work.push_back(WorkByName(timeline.names.Text(event.name)));
  device.host_memory.push_back(event.memory);
  device.bytes.push_back(event.bytes);
  device.detail.push_back(0);
}

void ChromeTracks::AddHost(Timeline& timeline, const Held& event, std::uint32_t thread) {
  const std::string_view text = timeline.names.Text(event.name);
  if (text.starts_with('$')) return;  // XProf: Python's own functions
  const bool call = event.correlation >= 0;
  const std::string name(call ? LaunchName(text, event.blocks ? "async:0" : "") : text);
  HostEvents& host = timeline.host;
  host.start.push_back(event.start);
  host.end.push_back(event.end);
  host.name.push_back(timeline.names.Intern(name));
  host.thread.push_back(thread);
  host.correlation.push_back(event.correlation);
  host.kind.push_back(call ? HostKind::kRuntime : HostKind::kOp);
}

void ChromeTracks::Finish(Timeline& timeline) {
  if (held_.empty()) return;
  timeline.format = "chrome";
  std::vector<Place> places;
  std::vector<std::uint32_t> index;  // of the lane or thread
  bool guessed = false;
  for (const Track& track : tracks_) {
    const Place place = PlaceOf(track);
    places.push_back(place);
    if (place.kind == Kind::kDevice) {
      guessed = guessed || !Holds(LabelOf(track.pid, nullptr), "device:GPU:");
      index.push_back(static_cast<std::uint32_t>(timeline.lanes.size()));
      timeline.lanes.push_back({place.device, place.stream});
    } else {
      index.push_back(static_cast<std::uint32_t>(timeline.threads.size()));
      const NameIndex process = timeline.names.Intern(track.pid);
      timeline.threads.push_back({process, timeline.names.Intern(track.tid)});
    }
  }
  std::int64_t steps_of = -1;  // one device's: the others' tell the same
  for (const Held& event : held_) {
    const Place& place = places[event.track];
    if (place.kind == Kind::kDevice) AddDevice(timeline, event, index[event.track]);
    if (place.kind == Kind::kHost) AddHost(timeline, event, index[event.track]);
    if (place.kind != Kind::kSteps) continue;
    if (steps_of < 0) steps_of = place.device;
    if (steps_of != place.device) continue;
    const std::string name = "step " + std::string(timeline.names.Text(event.name));
    timeline.steps.push_back({timeline.names.Intern(name), event.start, event.end});
  }
  if (guessed)
    timeline.problems.emplace_back(_("which tracks are a device's was told by their names"));
  Drop();
}

}  // namespace gpuwhy::trace
