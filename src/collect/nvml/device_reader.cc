#include "collect/nvml/device_reader.h"

#include <fmt/format.h>

#include "collect/nvml/nvml_status.h"

namespace gpuwhy::nvml {

Status DeviceReader::Note(const char* symbol, Status status) {
  const bool gone = status == Status::kGpuIsLost || status == Status::kResetRequired;
  if (gone || status == Status::kCorruptedInforom) {
    AddMessage(MessageKind(status), fmt::format("{}: {}", symbol, StatusText(status)));
  }
  if (gone) lost_ = true;
  return status;
}

void DeviceReader::Number(const char* symbol, const Quantity& quantity) {
  unsigned value = 0;
  const Status status = Call(symbol, &value);
  AddNumber(symbol, quantity, status, value);
}

void DeviceReader::Number(const char* symbol, unsigned selector, const Quantity& quantity) {
  unsigned value = 0;
  const Status status = Call(symbol, selector, &value);
  AddNumber(symbol, quantity, status, value);
}

void DeviceReader::Flag(const char* symbol, GpuField field) {
  unsigned value = 0;
  const Status status = Call(symbol, &value);
  AddFlag(symbol, field, status, value == 1);
}

void DeviceReader::FirstFlag(const char* symbol, GpuField field) {
  unsigned value = 0;
  unsigned other = 0;
  const Status status = Call(symbol, &value, &other);
  AddFlag(symbol, field, status, value == 1);
}

void DeviceReader::FirstNumber(const char* symbol, const Quantity& quantity) {
  unsigned value = 0;
  unsigned other = 0;
  const Status status = Call(symbol, &value, &other);
  AddNumber(symbol, quantity, status, value);
}

void DeviceReader::AddNumber(const char* call, const Quantity& quantity, Status status,
                             std::uint64_t value) {
  if (status != Status::kSuccess) {
    Put(call, quantity.field, DeviceValueKind::kNumber, ToMissing(status, call), {});
    return;
  }
  // Drivers answer with all bits set where a value is not available, and broken boards with
  // anything: neither is a measurement.
  if (value > quantity.most) {
    Put(call, quantity.field, DeviceValueKind::kNumber,
        Missing{Why::kFailed, fmt::format("{}: {}", call, value)}, {});
    return;
  }
  Put(call, quantity.field, DeviceValueKind::kNumber,
      static_cast<std::int64_t>(value) * quantity.thousandths, {});
}

void DeviceReader::AddFlag(const char* call, GpuField field, Status status, bool value) {
  if (status != Status::kSuccess) {
    Put(call, field, DeviceValueKind::kFlag, ToMissing(status, call), {});
    return;
  }
  Put(call, field, DeviceValueKind::kFlag, std::int64_t{value ? 1 : 0}, {});
}

void DeviceReader::AddText(const char* call, GpuField field, Status status, std::string text) {
  if (status != Status::kSuccess) {
    Put(call, field, DeviceValueKind::kText, ToMissing(status, call), {});
    return;
  }
  Put(call, field, DeviceValueKind::kText, std::int64_t{1}, std::move(text));
}

void DeviceReader::AddProcess(ProcessReading process) {
  process.at = clock_.Now();
  process.index = index_;
  box_.Add(std::move(process));
}

void DeviceReader::AddIdentity(std::string uuid, std::string bus_id) {
  box_.Add(DeviceIdentity{clock_.Now(), index_, std::move(uuid), std::move(bus_id)});
}

void DeviceReader::AddMessage(std::string_view kind, std::string text) {
  box_.Add(MessageReading{clock_.Now(), index_, std::string(kind), std::move(text)});
}

void DeviceReader::Put(const char* call, GpuField field, DeviceValueKind kind,
                       Reading<std::int64_t> value, std::string text) {
  // Of a device that is lost nothing is said but that: a hundred missing values would hide it.
  if (lost_) return;
  box_.Add(
      DeviceReading{clock_.Now(), index_, field, kind, std::move(value), std::move(text), call});
}

}  // namespace gpuwhy::nvml
