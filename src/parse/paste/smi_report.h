// What the report of nvidia-smi -q has in common as text and as XML.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "capture/pasted.h"
#include "parse/paste/recogniser.h"
#include "parse/paste/section.h"

namespace gpuwhy {

/// Does a value stand below the wanted heading? "": wherever; "=X": exactly X; else X ends it.
[[nodiscard]] bool StandsUnder(std::string_view wanted, std::string_view heading);

/// The counter of memory errors.
[[nodiscard]] GpuField EccField(bool is_volatile, bool uncorrected);

struct Announced {
  std::size_t devices = 0;  ///< as the report says at its top; 0: it doesn't
  std::uint32_t line = 0;
};

/// Notes a report that holds fewer devices than it announces, and at least one.
void NoteMissingDevices(const Section& section, const Announced& announced, std::size_t held,
                        Pasted& into, std::vector<Problem>& problems);
/// Notes that something of the output is not there.
void NoteIncomplete(const Section& section, std::uint32_t line, std::string text, Pasted& into,
                    std::vector<Problem>& problems);

}  // namespace gpuwhy
