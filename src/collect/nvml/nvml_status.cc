#include "collect/nvml/nvml_status.h"

#include <string>

namespace gpuwhy::nvml {
namespace {

struct Row {
  Status status;
  Why why;
  // The library's words, which are looked for on the web as they are: not translated.
  const char* text;
  const char* message;  // kind of PastedMessage; "": none
};

constexpr Row kRows[] = {
    {Status::kUninitialized, Why::kFailed, "Uninitialized", ""},
    {Status::kInvalidArgument, Why::kNotSupported, "Invalid Argument", ""},
    {Status::kNotSupported, Why::kNotSupported, "Not Supported", ""},
    {Status::kNoPermission, Why::kNoPermission, "Insufficient Permissions", ""},
    {Status::kNotFound, Why::kNotPresent, "Not Found", ""},
    {Status::kInsufficientSize, Why::kFailed, "Insufficient Size", ""},
    {Status::kInsufficientPower, Why::kFailed, "Insufficient External Power", ""},
    {Status::kDriverNotLoaded, Why::kNotPresent, "Driver Not Loaded", "smi.no-driver"},
    {Status::kTimeout, Why::kTimedOut, "Timeout", ""},
    {Status::kLibraryNotFound, Why::kNotPresent, "Library Not Found", ""},
    {Status::kFunctionNotFound, Why::kNotSupported, "Function Not Found", ""},
    {Status::kCorruptedInforom, Why::kFailed, "Corrupted infoROM", "smi.inforom"},
    {Status::kGpuIsLost, Why::kFailed, "GPU is lost", "smi.gpu-lost"},
    {Status::kResetRequired, Why::kFailed, "GPU requires reset", "smi.reset-required"},
    {Status::kOperatingSystem, Why::kNoPermission, "The operating system has blocked the request",
     ""},
    {Status::kLibraryMismatch, Why::kFailed, "Driver/library version mismatch",
     "smi.library-mismatch"},
    {Status::kVersionMismatch, Why::kNotSupported, "Argument Version Mismatch", ""},
    {Status::kDeprecated, Why::kNotSupported, "Deprecated", ""},
    {Status::kNotReady, Why::kFailed, "Not Ready", ""},
    {Status::kUnknown, Why::kFailed, "Unknown Error", ""},
};

const Row* RowOf(Status status) {
  for (const Row& row : kRows) {
    if (row.status == status) return &row;
  }
  return nullptr;
}

}  // namespace

std::string StatusText(Status status) {
  const Row* row = RowOf(status);
  if (row != nullptr) return row->text;
  return "NVML error " + std::to_string(static_cast<std::int32_t>(status));
}

Missing ToMissing(Status status, std::string_view call) {
  const Row* row = RowOf(status);
  return {row == nullptr ? Why::kFailed : row->why, std::string(call) + ": " + StatusText(status)};
}

std::string_view MessageKind(Status status) {
  const Row* row = RowOf(status);
  return row == nullptr ? std::string_view() : row->message;
}

}  // namespace gpuwhy::nvml
