#include "trace/importers/wire.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/wire_format_lite.h>

#include <limits>

namespace gpuwhy::trace {
namespace {

using google::protobuf::internal::WireFormatLite;
using google::protobuf::io::CodedInputStream;

bool ReadBytes(CodedInputStream& in, std::string_view message, std::string_view& bytes) {
  std::uint64_t size = 0;  // read as 32 bits, a length of 2^32 would be none
  if (!in.ReadVarint64(&size)) return false;
  const auto at = static_cast<std::size_t>(in.CurrentPosition());
  if (at > message.size() || size > message.size() - at) return false;
  bytes = message.substr(at, size);
  return in.Skip(static_cast<int>(size));
}

bool ReadField(CodedInputStream& in, std::string_view message, std::uint32_t tag,
               WireField& field) {
  field.number = WireFormatLite::GetTagFieldNumber(tag);
  switch (WireFormatLite::GetTagWireType(tag)) {
    case WireFormatLite::WIRETYPE_VARINT:
      return in.ReadVarint64(&field.value);
    case WireFormatLite::WIRETYPE_FIXED64:
      return in.ReadLittleEndian64(&field.value);
    case WireFormatLite::WIRETYPE_LENGTH_DELIMITED:
      return ReadBytes(in, message, field.bytes);
    case WireFormatLite::WIRETYPE_FIXED32: {
      std::uint32_t value = 0;
      if (!in.ReadLittleEndian32(&value)) return false;
      field.value = value;
      return true;
    }
    default:
      return false;  // groups: nobody writes them any more
  }
}

}  // namespace

std::size_t WalkFields(std::string_view message,
                       const std::function<bool(const WireField&)>& visit) {
  if (message.size() > static_cast<std::size_t>(std::numeric_limits<int>::max())) return 0;
  CodedInputStream in(reinterpret_cast<const std::uint8_t*>(message.data()),
                      static_cast<int>(message.size()));
  std::size_t whole = 0;
  while (whole < message.size()) {
    const std::uint32_t tag = in.ReadTag();
    WireField field;
    if (tag == 0 || !ReadField(in, message, tag, field) || !visit(field)) break;
    whole = static_cast<std::size_t>(in.CurrentPosition());
  }
  return whole;
}

bool ForEachField(std::string_view message, const std::function<bool(const WireField&)>& visit) {
  return WalkFields(message, visit) == message.size();
}

}  // namespace gpuwhy::trace
