// The library's functions, called one by one, each missing where the library or the device has not
// got it. Runs on the thread that may hang; touches nothing but what it shares.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "base/mutex.h"
#include "collect/call_thread.h"
#include "collect/nvml/nvml_reading.h"
#include "collect/nvml/nvml_types.h"
#include "os/clock.h"
#include "os/dynamic_library.h"

namespace gpuwhy::nvml {

/// Readings on their way from one thread to the other.
class HarvestBox {
 public:
  void Add(DeviceIdentity one) EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    held_.devices.push_back(std::move(one));
  }
  void Add(DeviceReading one) EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    held_.values.push_back(std::move(one));
  }
  void Add(ProcessReading one) EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    held_.processes.push_back(std::move(one));
  }
  void Add(MessageReading one) EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    held_.messages.push_back(std::move(one));
  }
  void Add(Missing one) EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    held_.missing.push_back(std::move(one));
  }
  [[nodiscard]] Harvest Take() EXCLUDES(mutex_) {
    const MutexLock lock(mutex_);
    return std::exchange(held_, {});
  }

 private:
  Mutex mutex_;
  Harvest held_ GUARDED_BY(mutex_);
};

/// What a number means: its field, how many thousandths of the field's unit one unit of the
/// function is, and the largest value that makes sense.
struct Quantity {
  GpuField field;
  std::int64_t thousandths = 1000;
  std::uint64_t most = 0;
};

/// One device during one look. Borrows all of it.
class DeviceReader {
 public:
  DeviceReader(DynamicLibrary& library, Clock& clock, CallWatch& watch, HarvestBox& box)
      : library_(library), clock_(clock), watch_(watch), box_(box) {}

  void Select(std::int32_t index, Device device) {
    index_ = index;
    device_ = device;
    lost_ = false;
  }
  /// The device does not answer any more: what would be asked now is left out.
  [[nodiscard]] bool IsLost() const { return lost_; }

  /// Calls a function of this device; kFunctionNotFound where the library has none of the name.
  /// symbol: a literal.
  template <class... A>
  Status Call(const char* symbol, A... arguments) {
    if (lost_) return Status::kGpuIsLost;
    return Note(symbol, CallBare<Device, A...>(symbol, device_, arguments...));
  }
  /// Calls a function that is not of a device.
  template <class... A>
  Status CallBare(const char* symbol, A... arguments) {
    void* address = library_.Find(symbol);
    if (address == nullptr) return Status::kFunctionNotFound;
    watch_.Begin(symbol);
    return reinterpret_cast<Status (*)(A...)>(address)(arguments...);
  }
  [[nodiscard]] bool Has(const char* symbol) { return library_.Find(symbol) != nullptr; }

  void Number(const char* symbol, const Quantity& quantity);
  void Number(const char* symbol, unsigned selector, const Quantity& quantity);
  void Flag(const char* symbol, GpuField field);
  /// The first of two results: (now, after the next reset) or (load, sample period).
  void FirstFlag(const char* symbol, GpuField field);
  void FirstNumber(const char* symbol, const Quantity& quantity);

  void AddNumber(const char* call, const Quantity& quantity, Status status, std::uint64_t value);
  void AddFlag(const char* call, GpuField field, Status status, bool value);
  void AddText(const char* call, GpuField field, Status status, std::string text);
  void AddProcess(ProcessReading process);
  void AddIdentity(std::string uuid, std::string bus_id);
  void AddMessage(std::string_view kind, std::string text);
  void AddMissing(Missing missing) { box_.Add(std::move(missing)); }

 private:
  /// Where the refusal is a finding by itself it is told, once a device and look.
  Status Note(const char* symbol, Status status);
  void Put(const char* call, GpuField field, DeviceValueKind kind, Reading<std::int64_t> value,
           std::string text);

  DynamicLibrary& library_;
  Clock& clock_;
  CallWatch& watch_;
  HarvestBox& box_;
  std::int32_t index_ = -1;
  Device device_ = nullptr;
  bool lost_ = false;
};

}  // namespace gpuwhy::nvml
