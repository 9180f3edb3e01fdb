#include "trace/archive.h"

#include <archive.h>
#include <archive_entry.h>

#include <memory>
#include <utility>
#include <vector>

#include "base/i18n.h"

namespace gpuwhy::trace {
namespace {

struct Source {
  ByteStream& stream;
  std::vector<char> buffer;
};

la_ssize_t ReadSource(archive* reader, void* data, const void** bytes) {
  Source& source = *static_cast<Source*>(data);
  Result<std::size_t> got = source.stream.Read(source.buffer);
  if (!got) {
    archive_set_error(reader, got.error().sys_errno, "%s", got.error().Text().c_str());
    return -1;
  }
  *bytes = source.buffer.data();
  return static_cast<la_ssize_t>(*got);
}

struct Free {
  void operator()(archive* reader) const { archive_read_free(reader); }
};

Error Failure(archive* reader) {
  const char* said = archive_error_string(reader);
  return {Format(_("the archive is damaged: {}"), said == nullptr ? "" : said), {}, 0};
}

class Member final : public ByteStream {
 public:
  Member(archive* reader, bool encrypted) : reader_(reader), encrypted_(encrypted) {}
  Result<std::size_t> Read(std::span<char> buffer) override {
    if (encrypted_) return Error{_("it is encrypted: unpack it with its password first"), {}, 0};
    const la_ssize_t got = archive_read_data(reader_, buffer.data(), buffer.size());
    if (got < 0) return Failure(reader_);
    return static_cast<std::size_t>(got);
  }

 private:
  archive* reader_;
  bool encrypted_;
};

}  // namespace

bool IsArchive(std::string_view head) {
  constexpr std::size_t kTarMagic = 257;
  return head.starts_with("PK\x03\x04") ||
         (head.size() > kTarMagic && head.substr(kTarMagic).starts_with("ustar"));
}

Status ForEachMember(ByteStream& bytes,
                     const std::function<void(const std::string& name, ByteStream& member)>& take) {
  constexpr std::size_t kBuffer = std::size_t{256} << 10U;
  const std::unique_ptr<archive, Free> reader(archive_read_new());
  if (!reader) return Error{_("out of memory"), {}, 0};
  archive_read_support_format_tar(reader.get());
  archive_read_support_format_zip_streamable(reader.get());
  Source source{bytes, std::vector<char>(kBuffer)};
  if (archive_read_open(reader.get(), &source, nullptr, ReadSource, nullptr) != ARCHIVE_OK) {
    return Failure(reader.get());
  }
  while (true) {
    archive_entry* entry = nullptr;
    const int status = archive_read_next_header(reader.get(), &entry);
    if (status == ARCHIVE_EOF) return Done{};
    if (status != ARCHIVE_OK && status != ARCHIVE_WARN) return Failure(reader.get());
    if (archive_entry_filetype(entry) != AE_IFREG) continue;
    const char* name = archive_entry_pathname(entry);
    Member member(reader.get(), archive_entry_is_data_encrypted(entry) != 0);
    take(name == nullptr ? "" : name, member);
  }
}

}  // namespace gpuwhy::trace
