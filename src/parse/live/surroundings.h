// What the job's processes were given to work with, out of the texts that the source of
// surroundings kept.
#pragma once

#include "capture/capture.h"

namespace gpuwhy {

/// Fills inventory.processes from capture.file_texts. Pure.
void ReadSurroundings(const Capture& capture, Inventory& inventory);

}  // namespace gpuwhy
