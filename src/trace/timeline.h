// Timeline: what a profiler recorded, behind every importer the same. Times are integer nanoseconds
// on the trace's own axis, names are interned, and each kind of event is a structure of arrays in
// the order of the file.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace gpuwhy::trace {

using NameIndex = std::uint32_t;

/// Texts by index; index 0 is "". Not thread safe.
class Names {
 public:
  Names();
  NameIndex Intern(std::string_view text);
  [[nodiscard]] std::string_view Text(NameIndex index) const { return texts_[index]; }
  [[nodiscard]] std::size_t size() const { return texts_.size(); }

 private:
  struct Hash {
    using is_transparent = void;  // NOLINT(readability-identifier-naming): the standard's name
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>{}(text);
    }
  };
  std::vector<std::string> texts_;
  std::unordered_map<std::string, NameIndex, Hash, std::equal_to<>> index_;
};

/// What a device did. The order is that of the figures in docs/gpuwhy.trace.1.schema.json.
enum class Work : unsigned char { kCompute, kComm, kH2D, kD2H, kD2D, kP2P, kMemset, kMemcpyOther };
inline constexpr std::size_t kWorkKinds = 8;
[[nodiscard]] std::string_view WorkName(Work work);

/// Host memory at the other end of a copy, where the trace says it.
enum class HostMemory : unsigned char { kUnknown, kPageable, kPinned };

struct DeviceEvents {
  std::vector<std::int64_t> start, end;
  std::vector<NameIndex> name;
  std::vector<std::uint32_t> lane;        ///< index into Timeline::lanes
  std::vector<std::int64_t> correlation;  ///< -1: none
  std::vector<Work> work;
  std::vector<HostMemory> host_memory;
  std::vector<std::uint64_t> bytes;   ///< of a copy or collective; 0: not recorded
  std::vector<std::uint32_t> detail;  ///< index into Timeline::kernel_details; 0: none
  [[nodiscard]] std::size_t size() const { return start.size(); }
};

/// What some traces say about a kernel beyond its time. Equal ones share an entry.
struct KernelDetail {
  float blocks_per_sm = -1, occupancy = -1;  ///< -1: not recorded; occupancy in percent
  std::uint32_t blocks = 0;                  ///< grid size; 0: not recorded
  NameIndex collective = 0, group = 0, dtype = 0;
  std::uint32_t group_size = 0;
  std::int64_t in_elements = -1, out_elements = -1;
  friend bool operator==(const KernelDetail&, const KernelDetail&) = default;
};

enum class HostKind : unsigned char {
  kOp,
  kRuntime,
  kDriver,
  kAnnotation,
  kPython,
  kSync,
  kOverhead,
  kOther
};

struct HostEvents {
  std::vector<std::int64_t> start, end;
  std::vector<NameIndex> name;
  std::vector<std::uint32_t> thread;      ///< index into Timeline::threads
  std::vector<std::int64_t> correlation;  ///< of a runtime or driver call; -1: none
  std::vector<HostKind> kind;
  /// Shapes of an operator's inputs, "[64,512] [512,512]"; 0: none. Empty as a whole where none
  /// were recorded.
  std::vector<NameIndex> inputs;
  [[nodiscard]] std::size_t size() const { return start.size(); }
};

/// Functions of the program's own language, where stacks were recorded: only those that last at
/// least kShortestFrameNs, since short ones are behind no wait worth telling.
struct Frames {
  std::vector<std::int64_t> start, end;
  std::vector<NameIndex> name;
  std::vector<std::uint32_t> thread;  ///< index into Timeline::threads
  [[nodiscard]] std::size_t size() const { return start.size(); }
};
inline constexpr std::int64_t kShortestFrameNs = 200'000;

struct Lane {
  std::int64_t device = 0, stream = 0;
};

struct Thread {
  NameIndex process = 0;  ///< pid as text: old traces use words
  NameIndex thread = 0;
};

struct DeviceInfo {
  std::int64_t id = 0;
  std::string name;
  std::uint32_t sm_count = 0;  ///< 0: not recorded
};

/// A marked step: "ProfilerStep#6" and its kin.
struct StepMark {
  NameIndex name = 0;
  std::int64_t start = 0, end = 0;
};

struct Timeline {
  std::string file, format;  ///< "kineto", "nsys-sqlite", "xplane", "chrome"
  std::int64_t rank = -1, world_size = -1;
  std::int64_t base_ns = 0;  ///< added to times gives the epoch, where base_known
  bool base_known = false;
  std::int64_t resolution_ns = 1000;  ///< smallest step of the stamps: 1000 for whole microseconds
  std::uint64_t events = 0;           ///< all that were walked
  Names names;
  std::vector<Lane> lanes;
  std::vector<Thread> threads;
  std::vector<DeviceInfo> devices;
  std::vector<KernelDetail> kernel_details = {KernelDetail{}};
  DeviceEvents device;
  HostEvents host;
  Frames frames;
  std::vector<StepMark> steps;
  std::map<std::string, std::uint64_t> lost;  ///< what could not be used, counted by reason
  std::vector<std::string> problems;          ///< translated; what makes a figure doubtful
};

}  // namespace gpuwhy::trace
