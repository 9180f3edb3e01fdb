// What --from names, read and recognised by content.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "capture/codec.h"
#include "capture/pasted.h"
#include "diagnose/diagnosis.h"

namespace gpuwhy {

struct Inputs {
  std::vector<InputReport> reports;           ///< one a file, in the order given
  std::optional<DecodedRecording> recording;  ///< the one that is diagnosed
  std::vector<Error> errors;                  ///< files that could not be read
  Pasted pasted;  ///< of the outputs of other tools; any: at least one was recognised
};

/// Files, folders (each regular file directly in them, by name, 10000 at most; links in them are
/// not followed) and "-" for stdin. The first recording is used; several can't be
/// joined. Other texts are read as pasted outputs; places in them name the file without its folder.
[[nodiscard]] Inputs ReadInputs(const std::vector<std::string>& paths);
/// What is wrong with a recording, in words; empty where nothing is.
[[nodiscard]] std::vector<std::string> Problems(const DecodedRecording& recording);

}  // namespace gpuwhy
