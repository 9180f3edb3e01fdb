#include "parse/logs/bandwidth_tables.h"

#include <algorithm>
#include <optional>

#include "base/text.h"
#include "parse/line_reader.h"
#include "parse/logs/number_series.h"

namespace gpuwhy {
namespace {

constexpr std::size_t kMostTables = 64;
constexpr std::size_t kMostValues = 4096;
constexpr std::size_t kMostQuotes = 16;

class Reader {
 public:
  void Line(std::string_view line, std::uint32_t number) {
    if (Holds(line, "memcpy CE") && Holds(line, "bandwidth (GB/s)")) return PerDevice(line);
    if (Holds(line, "#bytes") && Holds(line, "BW average[")) return Perftest(line);
    if (Holds(line, "numactl")) binding_ = std::string(Trim(line).substr(0, 200));
    if (Holds(line, "Bandwidth, 1 Device(s)") || Holds(line, "Bandwidth, ")) return Direction(line);
    if (Holds(line, "Bandwidth") && Holds(line, "Matrix (GB/s)")) return Matrix(line);
    if (Holds(line, "Latency Matrix")) {
      matrix_ = nullptr;
      return;
    }
    if (NcclRow(line, number)) return;
    if (matrix_ != nullptr) return MatrixRow(line, number);
    if (per_device_ != nullptr) return PerDeviceRow(line, number);
    if (perftest_ != nullptr) return PerftestRow(line, number);
    if (transfer_ != nullptr) TransferRow(line, number);
  }
  std::vector<BandwidthTable> Finish() { return std::move(tables_); }

 private:
  BandwidthTable* Begin(std::string_view tool, std::string_view what) {
    // Pointers into tables_ are kept.
    if (tables_.capacity() == 0) tables_.reserve(kMostTables);
    if (tables_.size() == kMostTables) return nullptr;
    BandwidthTable& table = tables_.emplace_back();
    table.tool = std::string(tool);
    table.what = std::string(what);
    table.binding = binding_;
    return &table;
  }
  static void Add(BandwidthTable& table, double value, std::uint32_t number,
                  std::string_view line) {
    if (table.values.size() == kMostValues) return;
    table.values.push_back(value);
    if (table.quotes.size() < kMostQuotes)
      table.quotes.push_back(Quote(number, line));
    else
      table.quotes.back() = Quote(number, line);
  }

  void Direction(std::string_view line) {
    Close();
    const std::string_view what = Holds(line, "Host to Device")     ? "H2D"
                                  : Holds(line, "Device to Host")   ? "D2H"
                                  : Holds(line, "Device to Device") ? "D2D"
                                                                    : "";
    transfer_ = what.empty() ? nullptr : Begin("bandwidthTest", what);
    in_mb_ = true;
  }
  /// "33554432   12150.7": bytes, MB/s (or GB/s by the header).
  void TransferRow(std::string_view line, std::uint32_t number) {
    if (Holds(line, "Bandwidth(GB/s)")) in_mb_ = false;
    const std::vector<std::string_view> fields = Fields(line);
    if (fields.size() != 2) return;
    const std::optional<double> size = ParseDouble(fields[0]);
    const std::optional<double> value = ParseDouble(fields[1]);
    if (!size || !value || *size < 1) return;
    transfer_->sizes.push_back(*size);
    Add(*transfer_, in_mb_ ? *value / 1e3 : *value, number, line);
  }

  void Close() {
    transfer_ = nullptr;
    matrix_ = nullptr;
    per_device_ = nullptr;
    perftest_ = nullptr;
  }

  /// nvbandwidth: "memcpy CE CPU(row) -> GPU(column) bandwidth (GB/s)".
  void PerDevice(std::string_view line) {
    Close();
    if (!Holds(line, "CPU(row)")) return;
    per_device_ = Begin("nvbandwidth", Holds(line, "->") ? "H2D" : "D2H");
  }
  /// " 0   25.12   6.21": the node of the host, then a cell a device.
  void PerDeviceRow(std::string_view line, std::uint32_t number) {
    const std::vector<std::string_view> fields = Fields(line);
    if (fields.size() < 2 || !ParseNumber<std::size_t>(fields[0])) return Close();
    // Above it stand the devices' numbers alone.
    if (line.find('.') == std::string_view::npos) return;
    for (std::size_t i = 1; i < fields.size(); ++i) {
      if (const std::optional<double> value = ParseDouble(fields[i]))
        Add(*per_device_, *value, number, line);
    }
  }

  /// ib_write_bw and its kin: "#bytes #iterations BW peak[Gb/sec] BW average[Gb/sec]
  /// MsgRate[Mpps]".
  void Perftest(std::string_view line) {
    Close();
    perftest_ = Begin("perftest", "rdma");
    perftest_unit_ = Holds(line, "BW average[Gb/sec]") ? 1 / 8.0 : 1.048576e-3;  // else MiB
  }
  void PerftestRow(std::string_view line, std::uint32_t number) {
    const std::vector<std::string_view> fields = Fields(line);
    if (fields.size() < 4) return Close();
    const std::optional<double> size = ParseDouble(fields[0]);
    const std::optional<double> value = ParseDouble(fields[3]);
    if (!size || !value) return Close();
    perftest_->sizes.push_back(*size);
    Add(*perftest_, *value * perftest_unit_, number, line);
  }

  void Matrix(std::string_view line) {
    Close();
    const bool both = Holds(line, "Bidirectional");
    const bool enabled = Holds(line, "P2P=Enabled");
    std::string what = enabled ? "p2p-enabled" : "p2p-disabled";
    if (both) what += "-both";
    matrix_ = Begin("p2p", what);
    rows_ = 0;
  }
  /// "  0 911.08  20.10 ...": the row's device, then one cell a device; its own is local memory.
  void MatrixRow(std::string_view line, std::uint32_t number) {
    const std::vector<std::string_view> fields = Fields(line);
    if (fields.size() < 2 || fields[0] == "D\\D") return;
    const std::optional<std::size_t> row = ParseNumber<std::size_t>(fields[0]);
    if (!row || *row != rows_) {
      matrix_ = nullptr;
      return;
    }
    ++rows_;
    for (std::size_t i = 1; i < fields.size(); ++i) {
      const std::optional<double> value = ParseDouble(fields[i]);
      if (value && i - 1 != *row) Add(*matrix_, *value, number, line);
    }
  }

  /// Size, count, type, operation, root, time, algbw, busbw, errors: the rows of a collective. A
  /// row that is cut is used as far as its first bus bandwidth.
  bool NcclRow(std::string_view line, std::uint32_t number) {
    std::vector<std::string_view> fields = Fields(line);
    if (fields.size() < 7) return false;
    const std::optional<std::uint64_t> size = ParseNumber<std::uint64_t>(fields[0]);
    const std::optional<std::uint64_t> count = ParseNumber<std::uint64_t>(fields[1]);
    static constexpr std::string_view kTypes[] = {"float", "half",   "bfloat16", "double",
                                                  "int8",  "uint8",  "int32",    "uint32",
                                                  "int64", "uint64", "char",     "int"};
    if (!size || !count ||
        std::find(std::begin(kTypes), std::end(kTypes), fields[2]) == std::end(kTypes))
      return false;
    std::size_t at = 3;
    // The operation is a word, the root a whole number; both may be absent.
    while (at < fields.size() && (!ParseDouble(fields[at]) || fields[at] == "-1")) ++at;
    if (at + 3 < fields.size() && fields[at].find('.') == std::string_view::npos &&
        ParseNumber<int>(fields[at]) && at == 4 && fields[at].size() < 3)
      ++at;
    if (at + 2 >= fields.size()) return true;
    const std::optional<double> bus = ParseDouble(fields[at + 2]);
    if (!bus) return true;
    if (nccl_ == nullptr) nccl_ = Begin("nccl-tests", "busbw");
    if (nccl_ == nullptr) return true;
    // Out of place, then in place.
    for (const std::size_t column : {at + 3, at + 7}) {
      if (column >= fields.size()) continue;
      if (const std::optional<double> wrong = ParseDouble(fields[column]); wrong && *wrong >= 1)
        nccl_->wrong += static_cast<std::uint64_t>(std::min(*wrong, 1e9));
    }
    if (nccl_->values.size() < kMostValues) nccl_->sizes.push_back(static_cast<double>(*size));
    Add(*nccl_, *bus, number, line);
    return true;
  }

  std::vector<BandwidthTable> tables_;
  BandwidthTable* transfer_ = nullptr;
  BandwidthTable* matrix_ = nullptr;
  BandwidthTable* nccl_ = nullptr;
  BandwidthTable* per_device_ = nullptr;
  BandwidthTable* perftest_ = nullptr;
  double perftest_unit_ = 1;
  std::string binding_;
  std::size_t rows_ = 0;
  bool in_mb_ = true;
};

}  // namespace

std::vector<BandwidthTable> FindBandwidthTables(std::string_view text) {
  if (!Holds(text, "andwidth") && !Holds(text, "busbw") && !Holds(text, "float") &&
      !Holds(text, "half") && !Holds(text, "BW average["))
    return {};
  // A table of bandwidths is small; what is longer is a log that mentions one.
  constexpr std::size_t kMostBytes = std::size_t{8} << 20U;
  Reader reader;
  LineReader lines(text.substr(0, kMostBytes));
  while (lines.Next()) reader.Line(lines.Line(), lines.Number());
  return reader.Finish();
}

}  // namespace gpuwhy
