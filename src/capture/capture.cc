#include "capture/capture.h"

#include <iterator>
#include <type_traits>
#include <utility>

#include "capture/codec_fields.h"

namespace gpuwhy {
namespace {

template <class T>
void Move(std::vector<T>& to, std::vector<T>& from) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
  from.clear();
}

}  // namespace

void AppendSamples(Capture& capture, Capture&& more) {
  Capture from = std::move(more);
  ForEachSampleVector(capture, [&from]<class T>(FrameType type, std::vector<T>& to) {
    ForEachSampleVector(from, [&]<class U>(FrameType other, std::vector<U>& records) {
      if constexpr (std::is_same_v<T, U>) {
        if (type == other) Move(to, records);
      }
    });
  });
  Move(capture.sources, from.sources);
}

}  // namespace gpuwhy
