// Where the translations are.
#pragma once

#include <string>
#include <vector>

namespace gpuwhy {

/// The folder of catalogues: beside the binary (po/, of a build), in its prefix (../share/locale),
/// or the one it was built for.
[[nodiscard]] std::string CatalogueFolder();
/// English, which needs none, and each language that has a catalogue in folder; sorted.
[[nodiscard]] std::vector<std::string> Languages(const std::string& folder);

}  // namespace gpuwhy
