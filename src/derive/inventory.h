// Facts of what the node is made of.
#pragma once

#include <string>

#include "capture/capture.h"
#include "facts/fact_set.h"

namespace gpuwhy {

void DeriveInventory(const Capture& capture, FactSet& facts);

}  // namespace gpuwhy
