// A libnvidia-ml.so.1 that says what a text file tells it to, for tests on machines without a GPU.
// Never part of the product.
//
// The file (environment variable GPUWHY_NVML_SCENARIO) has one line a function, without the
// "nvmlDeviceGet" before its name, and a number where the function takes a selector:
//     [system]                 what is not of a device: Init, Count, DriverVersion,
//     CudaDriverVersion Init = 0 [gpu]                    one more device PowerUsage = 412000
//     ClockInfo 1 = 1410
//     FanSpeed = fail 3        an nvmlReturn_t
//     Temperature 0 = hang     never returns
// A function that has no line answers "not supported".
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "collect/nvml/nvml_types.h"

namespace {

using gpuwhy::nvml::Device;
using gpuwhy::nvml::Status;

struct Answer {
  Status status = Status::kNotSupported;
  bool hangs = false;
  std::string text;
  std::vector<std::uint64_t> numbers;

  [[nodiscard]] std::uint64_t Number(std::size_t i) const {
    return i < numbers.size() ? numbers[i] : 0;
  }
};

using Answers = std::map<std::string, Answer>;

struct Scenario {
  Answers system;
  std::vector<Answers> gpus;
};

Answer ParseAnswer(const std::string& value) {
  Answer answer{Status::kSuccess, value == "hang", value, {}};
  std::istringstream words(value);
  std::string word;
  while (words >> word) {
    if (word == "fail") {
      std::int32_t code = 0;
      words >> code;
      answer.status = static_cast<Status>(code);
      break;
    }
    answer.numbers.push_back(std::strtoull(word.c_str(), nullptr, 0));
  }
  return answer;
}

std::string Trimmed(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t");
  const std::size_t last = text.find_last_not_of(" \t\r");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

Scenario ReadScenario() {
  Scenario scenario;
  Answers* section = &scenario.system;
  const char* path = std::getenv("GPUWHY_NVML_SCENARIO");
  std::ifstream file(path == nullptr ? "" : path);
  std::string line;
  while (std::getline(file, line)) {
    line = Trimmed(line.substr(0, line.find('#')));
    if (line == "[system]") section = &scenario.system;
    if (line == "[gpu]") section = &scenario.gpus.emplace_back();
    const std::size_t equals = line.find('=');
    if (equals == std::string::npos) continue;
    (*section)[Trimmed(line.substr(0, equals))] = ParseAnswer(Trimmed(line.substr(equals + 1)));
  }
  return scenario;
}

const Scenario& TheScenario() {
  static const Scenario scenario = ReadScenario();
  return scenario;
}

Answer Ask(const Answers& answers, const std::string& key) {
  const auto found = answers.find(key);
  if (found == answers.end()) return {};
  while (found->second.hangs) pause();
  return found->second;
}

/// A handle is the device's number, counted from 1.
Answer Ask(Device device, const std::string& key) {
  const std::size_t number = reinterpret_cast<std::uintptr_t>(device);
  const Scenario& scenario = TheScenario();
  if (number == 0 || number > scenario.gpus.size())
    return {Status::kInvalidArgument, false, "", {}};
  return Ask(scenario.gpus[number - 1], key);
}
Answer Ask(Device device, const std::string& key, unsigned selector) {
  return Ask(device, key + " " + std::to_string(selector));
}

template <class T>
Status Give(const Answer& answer, T* out, std::size_t i = 0) {
  if (answer.status == Status::kSuccess) *out = static_cast<T>(answer.Number(i));
  return answer.status;
}
template <class T>
Status GiveTwo(const Answer& answer, T* first, T* second) {
  Give(answer, second, 1);
  return Give(answer, first);
}
Status GiveText(const Answer& answer, char* out, unsigned size) {
  if (answer.status == Status::kSuccess) {
    std::strncpy(out, answer.text.c_str(), size);
    if (size > 0) out[size - 1] = '\0';
  }
  return answer.status;
}

#ifndef GPUWHY_ANCIENT_NVML
Status GiveProcesses(const Answer& answer, unsigned* count, gpuwhy::nvml::Process* out) {
  if (answer.status != Status::kSuccess) return answer.status;
  const unsigned all = static_cast<unsigned>(answer.numbers.size() / 2);  // pid, bytes
  if (all > *count) return Status::kInsufficientSize;
  for (unsigned i = 0; i < all; ++i) {
    out[i] = {static_cast<unsigned>(answer.numbers[2 * i]), answer.numbers[2 * i + 1], ~0U, ~0U};
  }
  *count = all;
  return Status::kSuccess;
}
#endif

}  // namespace

#define UNSIGNED(name) \
  Status nvmlDeviceGet##name(Device device, unsigned* out) { return Give(Ask(device, #name), out); }
#define PAIR(name)                                                          \
  Status nvmlDeviceGet##name(Device device, unsigned* one, unsigned* two) { \
    return GiveTwo(Ask(device, #name), one, two);                           \
  }
#define SELECTED(name)                                                          \
  Status nvmlDeviceGet##name(Device device, unsigned selector, unsigned* out) { \
    return Give(Ask(device, #name, selector), out);                             \
  }

extern "C" {

Status nvmlInit_v2() {
  const Answer answer = Ask(TheScenario().system, "Init");
  return answer.status == Status::kNotSupported ? Status::kSuccess : answer.status;
}
Status nvmlShutdown() { return Status::kSuccess; }
Status nvmlDeviceGetCount_v2(unsigned* out) {
  const Answer answer = Ask(TheScenario().system, "Count");
  if (answer.status != Status::kNotSupported) return Give(answer, out);
  *out = static_cast<unsigned>(TheScenario().gpus.size());
  return Status::kSuccess;
}
Status nvmlDeviceGetHandleByIndex_v2(unsigned index, Device* out) {
  if (index >= TheScenario().gpus.size()) return Status::kInvalidArgument;
  const Answer answer = Ask(TheScenario().gpus[index], "Handle");
  *out = reinterpret_cast<Device>(static_cast<std::uintptr_t>(index) + 1);
  return answer.status == Status::kNotSupported ? Status::kSuccess : answer.status;
}
Status nvmlSystemGetDriverVersion(char* out, unsigned size) {
  return GiveText(Ask(TheScenario().system, "DriverVersion"), out, size);
}
Status nvmlSystemGetCudaDriverVersion_v2(int* out) {
  return Give(Ask(TheScenario().system, "CudaDriverVersion"), out);
}

Status nvmlDeviceGetUUID(Device device, char* out, unsigned size) {
  return GiveText(Ask(device, "UUID"), out, size);
}
Status nvmlDeviceGetName(Device device, char* out, unsigned size) {
  return GiveText(Ask(device, "Name"), out, size);
}
Status nvmlDeviceGetPciInfo_v3(Device device, gpuwhy::nvml::PciInfo* out) {
  *out = {};
  return GiveText(Ask(device, "PciInfo"), out->bus_id, sizeof(out->bus_id));
}

UNSIGNED(PowerUsage)
UNSIGNED(PerformanceState)
UNSIGNED(PersistenceMode)
UNSIGNED(DisplayActive)
UNSIGNED(ComputeMode)
UNSIGNED(EnforcedPowerLimit)
UNSIGNED(PowerManagementDefaultLimit)
UNSIGNED(FanSpeed)
UNSIGNED(CurrPcieLinkGeneration)
UNSIGNED(CurrPcieLinkWidth)
UNSIGNED(MaxPcieLinkGeneration)
UNSIGNED(MaxPcieLinkWidth)
UNSIGNED(PcieReplayCounter)
SELECTED(Temperature)
SELECTED(TemperatureThreshold)
SELECTED(ClockInfo)
SELECTED(MaxClockInfo)
PAIR(EccMode)

Status nvmlDeviceGetUtilizationRates(Device device, gpuwhy::nvml::Utilization* out) {
  return GiveTwo(Ask(device, "UtilizationRates"), &out->gpu, &out->memory);
}
Status nvmlDeviceGetCurrentClocksThrottleReasons(Device device, unsigned long long* out) {
  return Give(Ask(device, "ClocksEventReasons"), out);
}
Status nvmlDeviceGetMemoryInfo(Device device, gpuwhy::nvml::PlainMemory* out) {
  const Answer answer = Ask(device, "MemoryInfo");  // used, total
  out->total = answer.Number(1);
  out->used = answer.Number(0);
  out->free = out->total - out->used;
  return answer.status;
}

#ifndef GPUWHY_ANCIENT_NVML
UNSIGNED(GpuMaxPcieLinkGeneration)
UNSIGNED(RetiredPagesPendingStatus)
SELECTED(ApplicationsClock)
SELECTED(DefaultApplicationsClock)
PAIR(MigMode)
PAIR(EncoderUtilization)
PAIR(DecoderUtilization)

Status nvmlDeviceGetCurrentClocksEventReasons(Device device, unsigned long long* out) {
  return Give(Ask(device, "ClocksEventReasons"), out);
}
Status nvmlDeviceGetMemoryInfo_v2(Device device, gpuwhy::nvml::Memory* out) {
  if (out->version != gpuwhy::nvml::VersionOf<gpuwhy::nvml::Memory>(2))
    return Status::kVersionMismatch;
  const Answer answer = Ask(device, "MemoryInfo");
  out->total = answer.Number(1);
  out->used = answer.Number(0);
  return answer.status;
}
Status nvmlDeviceGetBAR1MemoryInfo(Device device, gpuwhy::nvml::PlainMemory* out) {
  const Answer answer = Ask(device, "BAR1MemoryInfo");
  out->total = answer.Number(1);
  out->used = answer.Number(0);
  return answer.status;
}
Status nvmlDeviceGetTotalEccErrors(Device device, unsigned error, unsigned kind,
                                   unsigned long long* out) {
  return Give(Ask(device, "TotalEccErrors", error * 2 + kind), out);
}
Status nvmlDeviceGetRetiredPages(Device device, unsigned cause, unsigned* count,
                                 unsigned long long* list) {
  const Answer answer = Ask(device, "RetiredPages", cause);
  if (answer.status != Status::kSuccess) return answer.status;
  *count = static_cast<unsigned>(answer.Number(0));
  return *count > 0 && list == nullptr ? Status::kInsufficientSize : Status::kSuccess;
}
Status nvmlDeviceGetRemappedRows(Device device, unsigned* corrected, unsigned* uncorrected,
                                 unsigned* pending, unsigned* failed) {
  const Answer answer = Ask(device, "RemappedRows");
  Give(answer, pending, 2);
  Give(answer, failed, 3);
  return GiveTwo(answer, corrected, uncorrected);
}
Status nvmlDeviceGetNvLinkState(Device device, unsigned link, unsigned* out) {
  const Answer answer = Ask(device, "NvLinkStates");  // one number a link
  if (answer.status == Status::kSuccess && link >= answer.numbers.size())
    return Status::kNotSupported;
  return Give(answer, out, link);
}
Status nvmlDeviceGetNvLinkErrorCounter(Device device, unsigned /*link*/, unsigned counter,
                                       unsigned long long* out) {
  return Give(Ask(device, "NvLinkErrorCounter", counter), out);
}
Status nvmlDeviceGetGpuFabricInfo(Device device, gpuwhy::nvml::FabricInfo* out) {
  const Answer answer = Ask(device, "GpuFabricInfo");  // state, status
  *out = {};
  out->state = static_cast<unsigned char>(answer.Number(0));
  out->status = static_cast<Status>(answer.Number(1));
  return answer.status;
}
Status nvmlDeviceGetFieldValues(Device device, int count, gpuwhy::nvml::FieldValue* values) {
  for (int i = 0; i < count; ++i) {
    const Answer answer = Ask(device, "FieldValue", values[i].field);
    values[i].status = answer.status;
    values[i].value_type = gpuwhy::nvml::kTypeUnsignedLongLong;
    values[i].value.ull = answer.Number(0);
  }
  return Status::kSuccess;
}
Status nvmlDeviceGetProcessUtilization(Device device, gpuwhy::nvml::ProcessLoad* out,
                                       unsigned* count, unsigned long long /*since*/) {
  const Answer answer = Ask(device, "ProcessUtilization");  // pid, percent
  if (answer.status != Status::kSuccess) return answer.status;
  const unsigned all = static_cast<unsigned>(answer.numbers.size() / 2);
  if (all > *count) return Status::kInsufficientSize;
  for (unsigned i = 0; i < all; ++i) {
    out[i] = {static_cast<unsigned>(answer.Number(2 * i)),
              1,
              static_cast<unsigned>(answer.Number(2 * i + 1)),
              0,
              0,
              0};
  }
  *count = all;
  return Status::kSuccess;
}
PAIR(PowerManagementLimitConstraints)
UNSIGNED(MaxMigDeviceCount)
SELECTED(PcieThroughput)
Status nvmlDeviceGetMigDeviceHandleByIndex(Device device, unsigned index, Device* out) {
  const Answer answer =
      Ask(device, "MigDevices");  // 1 for each slot with an instance, 0 for others
  if (answer.status != Status::kSuccess) return answer.status;
  if (answer.Number(index) != 1) return Status::kNotFound;
  *out = device;
  return Status::kSuccess;
}
// A sample is a count of looks: metrics are given for two that follow each other.
Status nvmlGpmQueryDeviceSupport(Device device, gpuwhy::nvml::GpmSupport* out) {
  if (out->version != 1) return Status::kVersionMismatch;
  return Give(Ask(device, "GpmSupport"), &out->supported);
}
Status nvmlGpmSampleAlloc(gpuwhy::nvml::GpmSample* out) {
  *out = reinterpret_cast<gpuwhy::nvml::GpmSample>(std::calloc(1, sizeof(std::uintptr_t)));
  return Status::kSuccess;
}
Status nvmlGpmSampleFree(gpuwhy::nvml::GpmSample sample) {
  std::free(sample);
  return Status::kSuccess;
}
Status nvmlGpmSampleGet(Device device, gpuwhy::nvml::GpmSample sample) {
  std::memcpy(sample, &device, sizeof(device));
  return Status::kSuccess;
}
Status nvmlGpmMetricsGet(gpuwhy::nvml::GpmMetrics* metrics) {
  if (metrics->version != 1) return Status::kVersionMismatch;
  Device device = nullptr;
  std::memcpy(&device, metrics->first, sizeof(device));
  if (device == nullptr || metrics->first == metrics->second) return Status::kInvalidArgument;
  for (unsigned i = 0; i < metrics->count; ++i) {
    const Answer answer = Ask(device, "GpmMetric", metrics->metrics[i].metric);
    metrics->metrics[i].status = answer.status;
    metrics->metrics[i].value = static_cast<double>(answer.Number(0));
  }
  return Status::kSuccess;
}
Status nvmlDeviceGetComputeRunningProcesses_v3(Device device, unsigned* count,
                                               gpuwhy::nvml::Process* out) {
  return GiveProcesses(Ask(device, "ComputeRunningProcesses"), count, out);
}
Status nvmlDeviceGetGraphicsRunningProcesses_v3(Device device, unsigned* count,
                                                gpuwhy::nvml::Process* out) {
  return GiveProcesses(Ask(device, "GraphicsRunningProcesses"), count, out);
}
#endif

}  // extern "C"
