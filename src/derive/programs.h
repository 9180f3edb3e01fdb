// What a program's name says of its part in a job: who only starts others is not who waits for
// data.
#pragma once

#include <string_view>

namespace gpuwhy {

enum class ProgramKind : unsigned char {
  kOther,
  kLauncher,  ///< starts the ranks of one job
  kTool,      ///< a shell, or what builds programs: it waits for its children, and is no job
  kDisplay,   ///< draws, or watches the devices: it holds one and is no job
};

/// command: as the kernel keeps it, at most 15 bytes. A program of any other name is kOther.
[[nodiscard]] ProgramKind KindOfProgram(std::string_view command);

}  // namespace gpuwhy
