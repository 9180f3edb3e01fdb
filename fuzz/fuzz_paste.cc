#include <cstddef>
#include <cstdint>
#include <string_view>

#include "parse/paste/paste_reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

// Every format of pasted output: the recogniser tries all of them on whatever it is given.
int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  gpuwhy::Pasted pasted;
  const gpuwhy::PasteReport report = gpuwhy::ReadPaste("fuzz", text, pasted);
  // Nothing can grow beyond what a byte of input may give.
  std::size_t values = pasted.processes.size() + pasted.pci.size() + pasted.messages.size();
  for (const gpuwhy::GpuLook& look : pasted.gpus) values += 1 + look.values.size();
  for (const gpuwhy::HostRow& row : pasted.host) values += 1 + row.values.size();
  if (values > 2 * size + 16 || report.problems.size() > size + 16) __builtin_trap();
  // Cut anywhere, in pieces so small that every output goes on beyond one.
  constexpr std::size_t kSmallPiece = 256;
  gpuwhy::Pasted cut;
  gpuwhy::PasteReader reader("fuzz", cut, kSmallPiece);
  reader.Add(text.substr(0, size / 3));
  reader.Add(text.substr(size / 3));
  (void)reader.Finish();
  return 0;
}
