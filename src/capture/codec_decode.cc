#include <algorithm>
#include <utility>

#include "base/i18n.h"
#include "capture/byte_reader.h"
#include "capture/codec.h"
#include "capture/codec_fields.h"
#include "capture/column_reader.h"
#include "capture/field_walks.h"
#include "capture/frame.h"
#include "capture/recording_format.h"

namespace gpuwhy {
namespace {

// More than any Interner gives. Bounds what a damaged "first" makes a reader fill up.
constexpr std::uint64_t kMaxTableEntries = std::uint64_t{1} << 18U;

enum class FrameResult { kUsed, kDamaged, kUnknown, kEnd };

class Decoder {
 public:
  Decoder(std::string_view bytes, std::uint64_t max_bytes)
      : scanner_(bytes, kRecordingMagic.size() + sizeof(kRecordingVersion)),
        size_(bytes.size()),
        budget_(max_bytes) {}

  // The two frames of the header, which nothing can do without.
  [[nodiscard]] bool ReadHeader() {
    return ReadHeaderFrame(FrameType::kRun, out_.capture.run) &&
           ReadHeaderFrame(FrameType::kHost, out_.capture.host);
  }

  [[nodiscard]] DecodedRecording ReadRest() {
    std::size_t used_to = scanner_.Offset();
    Frame frame;
    while (!out_.complete && scanner_.Next(frame)) {
      if (scanner_.Damaged() != 0) NoteTablesUncertain();
      const FrameResult result = Use(frame);
      if (budget_.Exhausted()) break;  // this frame and all that follow count as lost
      used_to = scanner_.Offset();
      out_.damaged_frames += result == FrameResult::kDamaged ? 1U : 0U;
      out_.unknown_frames += result == FrameResult::kUnknown ? 1U : 0U;
      out_.complete = result == FrameResult::kEnd;
    }
    // At the end of the bytes the scanner may have stepped over damaged frames after the last use.
    if (!budget_.Exhausted() && !out_.complete) used_to = scanner_.Offset();
    out_.damaged_frames += scanner_.Damaged();
    out_.lost_bytes = size_ - used_to;
    out_.dangling_ids = ClearDanglingIds(out_.capture);
    if (!out_.complete) {
      out_.capture.run.ended = std::max(out_.capture.run.started, LatestSample(out_.capture));
    }
    return std::move(out_);
  }

 private:
  template <class T>
  [[nodiscard]] bool ReadHeaderFrame(FrameType type, T& record) {
    Frame frame;
    return scanner_.Next(frame) && scanner_.Damaged() == 0 &&
           frame.type == static_cast<std::uint8_t>(type) &&
           ReadOne(frame, record) != FrameResult::kDamaged;
  }

  template <class T>
  FrameResult ReadOne(const Frame& frame, T& record) {
    std::vector<T> records;
    const FrameResult result = ReadRecords(frame, records);
    if (records.size() != 1) return FrameResult::kDamaged;
    record = std::move(records.front());
    return result;
  }

  template <class T>
  FrameResult ReadRecords(const Frame& frame, std::vector<T>& records) {
    return WithRecords(
        frame, [&records](std::uint64_t /*first*/, std::uint64_t count, ColumnReader& columns) {
          return columns.Records(count, records);
        });
  }

  // Names and details: like any records, but their index is their meaning.
  template <class T>
  FrameResult ReadTable(const Frame& frame, std::vector<T>& table, bool& certain) {
    const FrameResult result =
        WithRecords(frame, [&](std::uint64_t first, std::uint64_t count, ColumnReader& columns) {
          if (first != 0) certain = first >= table.size() && FillUpTo(table, first);
          return certain && columns.Records(count, table);
        });
    // Without its entries the next frame that does not say where it starts has no place.
    if (result == FrameResult::kDamaged) certain = false;
    return result;
  }

  // Entries that were lost are empty: their ids stay theirs.
  template <class T>
  [[nodiscard]] bool FillUpTo(std::vector<T>& table, std::uint64_t size) {
    if (size == table.size()) return true;
    if (size > kMaxTableEntries || !budget_.Take((size - table.size()) * sizeof(T))) return false;
    table.resize(size);
    return true;
  }

  template <class Read>
  FrameResult WithRecords(const Frame& frame, Read&& read) {
    Payload payload;
    if (!ReadPayload(frame, budget_, payload)) return FrameResult::kDamaged;
    ByteReader bytes(payload.bytes);
    const std::uint64_t first = bytes.Varint();
    const std::uint64_t count = bytes.Varint();
    ColumnReader columns(bytes, budget_);
    if (!read(first, count, columns)) return FrameResult::kDamaged;
    // An enumerator of the future is damage only where the frame does not come from there. Its
    // records are kept either way.
    if (columns.SawUnknown() && frame.version <= kFrameVersion) ++out_.damaged_frames;
    return FrameResult::kUsed;
  }

  FrameResult Use(const Frame& frame) {
    Capture& capture = out_.capture;
    switch (static_cast<FrameType>(frame.type)) {
      case FrameType::kNames:
        return ReadTable(frame, capture.names, names_certain_);
      case FrameType::kDetails:
        return ReadTable(frame, capture.details, details_certain_);
      case FrameType::kSources:
        return ReadRecords(frame, capture.sources);
      case FrameType::kDiagnosis:
        return ReadDiagnosis(frame);
      case FrameType::kEnd:
        return ReadOne(frame, capture.run) == FrameResult::kUsed ? FrameResult::kEnd
                                                                 : FrameResult::kDamaged;
      case FrameType::kRun:
      case FrameType::kHost:
        return FrameResult::kDamaged;  // they stand in the header only
      default:
        return UseSamples(frame);
    }
  }

  FrameResult UseSamples(const Frame& frame) {
    FrameResult result = FrameResult::kUnknown;
    ForEachSampleVector(out_.capture, [&]<class T>(FrameType type, std::vector<T>& records) {
      if (frame.type == static_cast<std::uint8_t>(type)) {
        result = ReadRecords(frame, records);
      }
    });
    return result;
  }

  FrameResult ReadDiagnosis(const Frame& frame) {
    Payload payload;
    if (!ReadPayload(frame, budget_, payload)) return FrameResult::kDamaged;
    if (!budget_.Take(payload.bytes.size())) return FrameResult::kDamaged;
    out_.diagnosis_json = payload.bytes;
    return FrameResult::kUsed;
  }

  // A skipped frame may have held names: from here on a table frame must say where it starts.
  void NoteTablesUncertain() {
    if (scanner_.Damaged() == damaged_noted_) return;
    damaged_noted_ = scanner_.Damaged();
    names_certain_ = false;
    details_certain_ = false;
  }

  FrameScanner scanner_;
  std::size_t size_;
  MemoryBudget budget_;
  std::uint64_t damaged_noted_ = 0;
  bool names_certain_ = true;
  bool details_certain_ = true;
  DecodedRecording out_;
};

}  // namespace

bool IsRecording(std::string_view bytes) { return bytes.starts_with(kRecordingMagic); }

Result<DecodedRecording> DecodeRecording(std::string_view bytes, const std::string& name,
                                         std::uint64_t max_bytes) {
  if (!IsRecording(bytes)) return Error{_("not a recording of gpuwhy"), name, 0};
  ByteReader start(bytes.substr(kRecordingMagic.size()));
  const auto version = start.LittleEndian<std::uint32_t>();
  if (!start.ok()) return Error{_("the recording ends within its header"), name, 0};
  if (version > kRecordingVersion) {
    return Error{Format(_("recorded by a newer gpuwhy in format {}; this build reads up to {}"),
                        version, kRecordingVersion),
                 name, 0};
  }
  if (version == 0) return Error{_("the header of the recording is damaged"), name, 0};
  Decoder decoder(bytes, max_bytes);
  if (!decoder.ReadHeader()) {
    return Error{_("the header of the recording is cut or damaged"), name, 0};
  }
  DecodedRecording recording = decoder.ReadRest();
  recording.format_version = version;
  return recording;
}

}  // namespace gpuwhy
