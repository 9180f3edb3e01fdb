// Captures for tests and benchmarks, made from a seed.
#pragma once

#include <cstdint>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "capture/codec.h"
#include "capture/codec_fields.h"

namespace gpuwhy {

/// Fills every stored field with something that is not its default: values of all sizes, readings
/// that are there and that are not, lists of 0 to 3.
class DistinctFiller {
 public:
  DistinctFiller(std::uint64_t seed, std::size_t names, std::size_t details)
      : random_(seed), names_(names), details_(details) {}

  template <class I>
  void Value(I& value) requires std::is_integral_v<I> {
    if constexpr (std::is_same_v<I, bool>) {
      value = true;
    } else {
      // Any number of bits: small numbers are as likely as large ones.
      const std::uint64_t bits = random_() >> (random_() % 64);
      value = static_cast<I>(bits);
      if (value == I{}) value = std::numeric_limits<I>::max();
    }
  }
  void Value(std::string& text) {
    text = "text ";
    for (std::uint64_t n = random_() % 40; n > 0; --n) {
      text.push_back(static_cast<char>(random_() & 0xFFU));
    }
  }
  void Value(Nanos& duration) {
    std::int64_t count = 0;
    Value(count);
    duration = Nanos{count};
  }
  template <class I>
  void Delta(I& value) {
    Value(value);
  }
  void Time(MonoTime& time) { Value(time.ns); }
  void Name(std::uint32_t& id) { id = static_cast<std::uint32_t>(1 + random_() % (names_ - 1)); }
  void Detail(std::uint32_t& id) {
    id = static_cast<std::uint32_t>(1 + random_() % (details_ - 1));
  }
  template <class E>
  void Enum(E& value, E last) {
    value = static_cast<E>(random_() % (static_cast<std::uint64_t>(last) + 1));
  }
  template <class E>
  void Enum(E& value, E last, E /*fallback*/) {
    Enum(value, last);
  }
  template <class T>
  void Measured(Reading<T>& reading) {
    if (random_() % 3 == 0) {
      Missing missing;
      Fields(*this, missing);
      reading = missing;
      return;
    }
    T value{};
    Value(value);
    reading = value;
  }
  template <class T>
  void Struct(T& part) {
    Fields(*this, part);
  }
  template <class T>
  void List(std::vector<T>& list) {
    Fill(list, random_() % 4);
  }
  template <class T>
  void Fill(std::vector<T>& list, std::size_t count) {
    list.resize(count);
    for (T& element : list) Fields(*this, element);
  }

 private:
  std::mt19937_64 random_;
  std::size_t names_, details_;
};

/// Every vector of the capture holds `records` records (both tables one more).
[[nodiscard]] inline Capture DistinctCapture(std::uint64_t seed, std::size_t records) {
  Capture capture;
  DistinctFiller filler(seed, records + 1, records + 1);
  Fields(filler, capture.run);
  Fields(filler, capture.host);
  filler.Fill(capture.names, records + 1);
  capture.names.front().clear();
  filler.Fill(capture.details, records + 1);
  capture.details.front() = {};
  ForEachSampleVector(capture, [&]<class T>(FrameType /*type*/, std::vector<T>& vector) {
    filler.Fill(vector, records);
  });
  filler.Fill(capture.sources, records);
  return capture;
}

/// One look at a thread that sleeps (19 of 20 times) in one of four places.
[[nodiscard]] inline ThreadSample ThreadLook(std::mt19937_64& random, std::uint32_t thread) {
  ThreadSample s;
  s.pid = static_cast<std::int32_t>(4000 + thread / 8);
  s.tid = static_cast<std::int32_t>(40'000 + 3 * thread);
  const std::uint64_t mood = random() % 20;
  s.state = mood == 0 ? 'R' : 'S';
  s.call_state = mood == 0 ? SyscallState::kRunning : SyscallState::kBlocked;
  s.wchan_state = mood == 0 ? WchanState::kZero : WchanState::kName;
  if (mood == 0) return s;
  s.call = mood < 3 ? Syscall::kRead : Syscall::kFutex;
  s.wchan = mood < 3 ? 1 + static_cast<NameId>(random() % 3) : 4;
  s.detail = 1 + thread % 28;
  return s;
}

/// What a sampler of one job sees: `ticks` jittered looks at `threads` threads, `hz` a second.
[[nodiscard]] inline Capture JobCapture(std::uint32_t threads, std::uint32_t ticks, double hz) {
  std::mt19937_64 random(7);
  Capture capture;
  for (std::uint32_t i = 0; i < 20; ++i) {
    capture.names.push_back("wait_channel_" + std::to_string(i));
  }
  DistinctFiller filler(1, capture.names.size(), 2);
  filler.Fill(capture.details, 30);
  capture.details.front() = {};
  const auto period = static_cast<std::int64_t>(1e9 / hz);
  std::int64_t now = 1'000'000'000'000;
  for (std::uint32_t tick = 0; tick < ticks; ++tick, now += period) {
    std::int64_t at = now + static_cast<std::int64_t>(random() % 10'000'000);
    for (std::uint32_t thread = 0; thread < threads; ++thread) {
      at += 20'000 + static_cast<std::int64_t>(random() % 20'000);
      ThreadSample& sample = capture.thread_samples.emplace_back(ThreadLook(random, thread));
      sample.at.ns = Nanos{at};
      sample.tick = tick;
    }
  }
  return capture;
}

/// A whole recording of capture in one part.
[[nodiscard]] inline std::string EncodeAll(const Capture& capture, std::string_view diagnosis) {
  return EncodeHeader(capture.run, capture.host) + EncodePart(capture, {1, 1}) +
         EncodeEnd(capture.run, capture.sources, diagnosis);
}

}  // namespace gpuwhy
