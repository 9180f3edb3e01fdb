// Chrome traces whose events carry no category that PyTorch would write: those of XProf (JAX,
// TensorFlow) and of tools that draw GPU tracks. What an event is follows from the name of its
// track, which may come after the events.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "trace/importers/kineto_event.h"
#include "trace/timeline.h"

namespace gpuwhy::trace {

class ChromeTracks {
 public:
  /// Of a metadata event: "process_name" or "thread_name" with a label; others are ignored.
  void Name(const RawEvent& event);
  /// Keeps an event whose times are sound until all tracks are named.
  void Hold(const RawEvent& event, Names& names);
  /// Nothing held is wanted: the trace is PyTorch's.
  void Drop();
  /// Adds what was held to a timeline that holds no event of another kind.
  void Finish(Timeline& timeline);

 private:
  struct Held {
    std::int64_t start = 0, end = 0, correlation = -1;
    std::uint64_t bytes = 0;
    NameIndex name = 0;
    std::uint32_t track = 0;
    HostMemory memory = HostMemory::kUnknown;
    bool blocks = false;  ///< a copy that returns when it is done
  };
  struct Track {
    std::string pid, tid;
  };
  enum class Kind : unsigned char { kSkip, kDevice, kHost, kSteps };
  struct Place {
    Kind kind = Kind::kHost;
    std::int64_t device = 0, stream = 0;
  };

  std::uint32_t TrackOf(const RawEvent& event);
  [[nodiscard]] Place PlaceOf(const Track& track) const;
  [[nodiscard]] std::string LabelOf(const std::string& pid, const std::string* tid) const;
  static void AddDevice(Timeline& timeline, const Held& event, std::uint32_t lane);
  static void AddHost(Timeline& timeline, const Held& event, std::uint32_t thread);

  std::vector<Held> held_;
  std::vector<Track> tracks_;
  std::map<std::pair<std::string, std::string>, std::uint32_t> track_of_;
  std::map<std::string, std::string> processes_;                        // labels
  std::map<std::pair<std::string, std::string>, std::string> threads_;  // labels
  std::uint32_t last_track_ = 0;
};

}  // namespace gpuwhy::trace
