// From the words on the command line to the command that they name.
#pragma once

namespace gpuwhy {

/// Chooses the language, reads the options and runs the command. Returns the exit code.
[[nodiscard]] int RunCommand(int argc, char** argv);

}  // namespace gpuwhy
