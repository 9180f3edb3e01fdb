#include <algorithm>
#include <iterator>
#include <span>

#include "capture/codec.h"
#include "capture/codec_fields.h"
#include "capture/column_writer.h"
#include "capture/frame.h"
#include "capture/recording_format.h"

namespace gpuwhy {
namespace {

// A frame is closed when its payload reaches this: far below what a reader refuses, and large
// enough for zstd.
constexpr std::size_t kEnoughForAFrame = std::size_t{4} << 20U;
constexpr std::size_t kRecordsBetweenChecks = 256;

// One or more frames with all records. first: the table index of records[0]; 0: not a table, or not
// told.
template <class T>
void AppendRecords(std::string& out, FrameType type, std::span<const T> records,
                   std::uint64_t first = 0) {
  while (!records.empty()) {
    ColumnWriter columns;
    std::size_t count = 0;
    while (count < records.size()) {
      columns.Record(records[count++]);
      const bool check = count % kRecordsBetweenChecks == 0 || sizeof(T) == sizeof(std::string);
      if (check && columns.size() >= kEnoughForAFrame) break;
    }
    std::string payload;
    PutVarint(payload, first);
    PutVarint(payload, count);
    columns.AppendTo(payload);
    AppendFrame(out, type, payload);
    records = records.subspan(count);
    if (first != 0) first += count;
  }
}

template <class T>
void AppendRecord(std::string& out, FrameType type, const T& record) {
  AppendRecords(out, type, std::span<const T>(&record, 1));
}

// Index 0 of both tables is the same in every capture and is not stored. Only there can the
// default value stand: an Interner gives 0 for it.
template <class T>
void AppendTable(std::string& out, FrameType type, const std::vector<T>& table, std::size_t held) {
  std::span<const T> records(table);
  if (!records.empty() && records.front() == T{}) records = records.subspan(1);
  AppendRecords(out, type, records, held);
}

}  // namespace

std::string EncodeHeader(const RunInfo& run, const HostInfo& host) {
  std::string out(kRecordingMagic);
  PutLittleEndian(out, kRecordingVersion);
  AppendRecord(out, FrameType::kRun, run);
  AppendRecord(out, FrameType::kHost, host);
  return out;
}

std::string EncodePart(const Capture& part, TableSizes held) {
  std::string out;
  AppendTable(out, FrameType::kNames, part.names, held.names);
  AppendTable(out, FrameType::kDetails, part.details, held.details);
  ForEachSampleVector(part, [&out]<class T>(FrameType type, const std::vector<T>& records) {
    AppendRecords(out, type, std::span<const T>(records));
  });
  return out;
}

std::string EncodeEnd(const RunInfo& run, const std::vector<SourceReport>& sources,
                      std::string_view diagnosis_json) {
  std::string out;
  AppendRecords(out, FrameType::kSources, std::span<const SourceReport>(sources));
  if (!diagnosis_json.empty()) AppendFrame(out, FrameType::kDiagnosis, diagnosis_json);
  AppendRecord(out, FrameType::kEnd, run);
  return out;
}

}  // namespace gpuwhy
