// Any files of /sys and /proc, and any kernel log: parts apart by byte 1E, each a path, a newline
// and the file's content. /dev/kmsg holds records of the kernel's log.
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "parse/live/inventory.h"
#include "parse/live/kmsg.h"

namespace {

gpuwhy::NameId Name(gpuwhy::Capture& capture, std::string text) {
  capture.names.push_back(std::move(text));
  return static_cast<gpuwhy::NameId>(capture.names.size() - 1);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest(reinterpret_cast<const char*>(data), size);
  gpuwhy::Capture capture;
  while (!rest.empty()) {
    std::string_view part = gpuwhy::NextToken(rest, '\x1e');
    const std::string path(gpuwhy::NextLine(part));
    if (path == "/dev/kmsg") {
      for (const gpuwhy::KmsgRecord& record : gpuwhy::ParseKmsg(part)) {
        capture.kernel_lines.push_back({{}, Name(capture, gpuwhy::AsPrinted(record))});
      }
      continue;
    }
    const gpuwhy::NameId name = Name(capture, path);
    capture.file_texts.push_back({{}, name, Name(capture, std::string(part)), true});
  }
  gpuwhy::ReadLiveTexts(capture);
  return 0;
}
