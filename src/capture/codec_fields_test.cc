// Does codec_fields.h name every field of every struct?
#include "capture/codec_fields.h"

#include <gtest/gtest.h>

#include <typeinfo>
#include <utility>
#include <vector>

namespace gpuwhy {
namespace {

// Stands for one member of any type, in an unevaluated T{...}.
struct AnyMember {
  template <class T>
  operator T() const;  // NOLINT(google-explicit-constructor): that is its purpose
};

template <class T, std::size_t... I>
constexpr bool TakesMembers(std::index_sequence<I...> /*unused*/) {
  return requires { T{(static_cast<void>(I), AnyMember{})...}; };
}

/// How many members the aggregate T has.
template <class T, std::size_t N = 40>
constexpr std::size_t MemberCount() {
  if constexpr (N == 0 || TakesMembers<T>(std::make_index_sequence<N>{})) {
    return N;
  } else {
    return MemberCount<T, N - 1>();
  }
}

class FieldCounter {
 public:
  template <class T, class... Limits>
  void Enum(const T& /*value*/, Limits... /*limits*/) {
    ++count_;
  }
#define GPUWHY_COUNT(method)        \
  template <class T>                \
  void method(const T& /*field*/) { \
    ++count_;                       \
  }
  GPUWHY_COUNT(Value)
  GPUWHY_COUNT(Delta)
  GPUWHY_COUNT(Time)
  GPUWHY_COUNT(Name)
  GPUWHY_COUNT(Detail)
  GPUWHY_COUNT(Measured)
  GPUWHY_COUNT(Struct)
  GPUWHY_COUNT(List)
#undef GPUWHY_COUNT
  [[nodiscard]] std::size_t Count() const { return count_; }

 private:
  std::size_t count_ = 0;
};

template <class T>
void ExpectEveryMemberNamed() {
  const T record;
  FieldCounter counter;
  Fields(counter, record);
  EXPECT_EQ(counter.Count(), MemberCount<T>())
      << typeid(T).name() << ": a field was added to the struct but not to Fields(), or the other "
      << "way round";
}

TEST(CodecFieldsOfSamples, NameEveryMember) {
  const Capture capture;
  ForEachSampleVector(capture, []<class T>(FrameType /*type*/, const std::vector<T>& /*of*/) {
    ExpectEveryMemberNamed<T>();
  });
}

// What is stored and no sample vector.
template <class T>
class CodecFields : public testing::Test {};

using Stored = testing::Types<RunInfo, HostInfo, DeviceNumber, CgroupRef, FdRef, WaitDetail,
                              SourceReport, Missing>;
TYPED_TEST_SUITE(CodecFields, Stored);

TYPED_TEST(CodecFields, NameEveryMember) { ExpectEveryMemberNamed<TypeParam>(); }

// A new vector in Capture has to be added to ForEachSampleVector(), or to the codec and to
// AppendSamples() by hand, as the tables and the source reports are.
TEST(CodecFieldsOfCapture, NameEveryVector) {
  constexpr std::size_t kTablesAndSources = 3;
  std::size_t vectors = 0;
  const Capture capture;
  ForEachSampleVector(capture,
                      [&vectors](FrameType /*type*/, const auto& /*records*/) { ++vectors; });
  EXPECT_EQ(sizeof(Capture), sizeof(RunInfo) + sizeof(HostInfo) + sizeof(Pasted) +
                                 sizeof(Inventory) +
                                 (vectors + kTablesAndSources) * sizeof(std::vector<int>));
}

}  // namespace
}  // namespace gpuwhy
