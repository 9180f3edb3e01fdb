#include "paste_texts.h"

#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <iterator>
#include <string_view>

namespace gpuwhy {
namespace {

/// A generator of our own: the standard's distributions differ between libraries.
class Numbers {
 public:
  std::uint64_t Next() {
    state_ = state_ * 6364136223846793005U + 1442695040888963407U;
    return state_ >> 33U;
  }
  double Share() { return static_cast<double>(Next() % 10'000) / 10'000; }

 private:
  std::uint64_t state_ = 7;
};

struct Part {
  std::string_view heading;
  std::array<std::string_view, 6> keys;
};
constexpr std::array<Part, 14> kParts = {{
    {"PCI", {"Bus", "Device", "Domain", "Base Classcode", "Sub Classcode", "Device Id"}},
    {"GPU Link Info", {"PCIe Generation", "Max", "Current", "Device Current", "Host Max", "Width"}},
    {"Clocks Event Reasons",
     {"Idle", "Applications Clocks Setting", "SW Power Cap", "HW Slowdown", "HW Thermal Slowdown",
      "Sync Boost"}},
    {"FB Memory Usage", {"Total", "Reserved", "Used", "Free", "Shared", "Other"}},
    {"BAR1 Memory Usage", {"Total", "Used", "Free", "Mapped", "Pinned", "Other"}},
    {"Utilization", {"GPU", "Memory", "Encoder", "Decoder", "JPEG", "OFA"}},
    {"ECC Mode", {"Current", "Pending", "Default", "Saved", "Next", "Other"}},
    {"Remapped Rows",
     {"Correctable Error", "Uncorrectable Error", "Pending", "Remapping Failure Occurred",
      "Bank Remap Availability Histogram", "Max"}},
    {"Temperature",
     {"GPU Current Temp", "GPU T.Limit Temp", "GPU Shutdown Temp", "GPU Slowdown Temp",
      "GPU Max Operating Temp", "Memory Current Temp"}},
    {"GPU Power Readings",
     {"Average Power Draw", "Instantaneous Power Draw", "Current Power Limit",
      "Requested Power Limit", "Default Power Limit", "Max Power Limit"}},
    {"Clocks", {"Graphics", "SM", "Memory", "Video", "Copy", "Other"}},
    {"Applications Clocks", {"Graphics", "Memory", "SM", "Video", "Copy", "Other"}},
    {"Max Clocks", {"Graphics", "SM", "Memory", "Video", "Copy", "Other"}},
    {"Fabric", {"State", "Status", "CliqueId", "ClusterUUID", "Health", "Bandwidth"}},
}};

}  // namespace

std::string TrainingLogText(std::size_t bytes) {
  Numbers numbers;
  std::string text;
  text.reserve(bytes + 512);
  for (std::size_t step = 1; text.size() < bytes; ++step) {
    fmt::format_to(std::back_inserter(text),
                   "2026-02-03 {:02}:{:02}:{:02},{:03} - trainer - INFO - Epoch [{}][{}/5000]  lr: "
                   "1.000e-04, eta: 2 days, 3:04:05, time: {:.3f}, data_time: {:.3f}, memory: "
                   "10233, loss_cls: {:.4f}, loss_box: {:.4f}, loss: {:.4f}\n",
                   step / 3600 % 24, step / 60 % 60, step % 60, step % 1000, step / 5000,
                   step % 5000, 0.42 + 0.05 * numbers.Share(), 0.01 + 0.01 * numbers.Share(),
                   numbers.Share(), numbers.Share(), numbers.Share());
  }
  return text;
}

std::string NoiseText(std::size_t bytes) {
  constexpr std::string_view kLetters =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  Numbers numbers;
  std::string text;
  text.reserve(bytes);
  while (text.size() < bytes) {
    text.push_back(text.size() % 121 == 120 ? '\n' : kLetters[numbers.Next() % kLetters.size()]);
  }
  return text;
}

std::string SmiQueryText(std::size_t devices) {
  std::string text =
      "==============NVSMI LOG==============\n\nTimestamp                                 : Tue "
      "Feb "
      "3 10:11:12 2026\nDriver Version                            : 550.54.15\nAttached GPUs       "
      "                      : " +
      std::to_string(devices) + "\n";
  for (std::size_t i = 0; i < devices; ++i) {
    fmt::format_to(std::back_inserter(text), "GPU 00000000:{:02X}:00.0\n", 0x10 + i);
    fmt::format_to(std::back_inserter(text), "    {:<38}: {}\n", "Product Name", "Example 80GB");
    fmt::format_to(std::back_inserter(text), "    {:<38}: P0\n", "Performance State");
    // About as many lines as a driver of that time prints.
    for (std::size_t round = 0; round < 2; ++round) {
      for (const Part& part : kParts) {
        fmt::format_to(std::back_inserter(text), "    {}{}\n", part.heading,
                       round == 0 ? "" : " Defaults");
        for (const std::string_view key : part.keys) {
          fmt::format_to(std::back_inserter(text), "        {:<34}: {}\n", key, 7 + i);
        }
      }
    }
    fmt::format_to(std::back_inserter(text), "    {:<38}: None\n", "Processes");
  }
  return text;
}

}  // namespace gpuwhy
