#include "capture/field_walks.h"

#include <algorithm>

#include "capture/codec_fields.h"

namespace gpuwhy {
namespace {

// Looks at no field. Derived walks hide what they look at.
class Walk {
 public:
  template <class T>
  void Value(T& /*value*/) {}
  template <class T>
  void Delta(T& /*value*/) {}
  template <class T>
  void Measured(T& /*reading*/) {}
  template <class T, class... Limits>
  void Enum(T& /*value*/, Limits... /*limits*/) {}
};

class IdWalk : public Walk {
 public:
  IdWalk(std::size_t names, std::size_t details) : names_(names), details_(details) {}

  void Time(MonoTime& /*time*/) {}
  void Name(std::uint32_t& id) { Clear(id, names_); }
  void Detail(std::uint32_t& id) { Clear(id, details_); }
  template <class T>
  void Struct(T& part) {
    Fields(*this, part);
  }
  template <class T>
  void List(std::vector<T>& list) {
    for (T& element : list) Fields(*this, element);
  }
  [[nodiscard]] std::uint64_t Cleared() const { return cleared_; }

 private:
  void Clear(std::uint32_t& id, std::size_t limit) {
    if (id < limit) return;
    id = 0;
    ++cleared_;
  }

  std::size_t names_;
  std::size_t details_;
  std::uint64_t cleared_ = 0;
};

class TimeWalk : public Walk {
 public:
  void Time(const MonoTime& time) { latest_ = std::max(latest_, time); }
  void Name(const std::uint32_t& /*id*/) {}
  void Detail(const std::uint32_t& /*id*/) {}
  template <class T>
  void Struct(const T& /*part*/) {}  // no struct within another has a time
  template <class T>
  void List(const std::vector<T>& /*list*/) {}
  [[nodiscard]] MonoTime Latest() const { return latest_; }

 private:
  MonoTime latest_;
};

}  // namespace

std::uint64_t ClearDanglingIds(Capture& capture) {
  IdWalk walk(capture.names.size(), capture.details.size());
  walk.List(capture.details);
  ForEachSampleVector(capture, [&walk]<class T>(FrameType /*type*/, std::vector<T>& records) {
    walk.List(records);
  });
  return walk.Cleared();
}

MonoTime LatestSample(const Capture& capture) {
  TimeWalk walk;
  ForEachSampleVector(capture, [&walk]<class T>(FrameType /*type*/, const std::vector<T>& records) {
    for (const T& record : records) Fields(walk, record);
  });
  return walk.Latest();
}

}  // namespace gpuwhy
