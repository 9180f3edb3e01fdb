// Outputs that can't all be of one host at one time: noted, because figures of several are told
// together otherwise.
#pragma once

#include "capture/capture.h"
#include "facts/fact_set.h"

namespace gpuwhy {

/// Adds a note for each kind of contradiction between the files that were handed in. Outputs of
/// one file are taken to be of several moments, which is no contradiction.
void NoteContradictions(const Capture& capture, FactSet& facts);

}  // namespace gpuwhy
