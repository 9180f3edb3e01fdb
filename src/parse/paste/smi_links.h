// nvidia-smi -L, nvlink -s and topo -m.
#pragma once

#include "parse/paste/recogniser.h"

namespace gpuwhy {

[[nodiscard]] std::optional<Match> RecogniseNvlink(const Section& section, std::size_t from);
void ReadNvlink(const Section& section, const Match& match, Pasted& into,
                std::vector<Problem>& problems);
[[nodiscard]] std::optional<Match> RecogniseDeviceList(const Section& section, std::size_t from);
void ReadDeviceList(const Section& section, const Match& match, Pasted& into,
                    std::vector<Problem>& problems);
[[nodiscard]] std::optional<Match> RecogniseTopo(const Section& section, std::size_t from);
void ReadTopo(const Section& section, const Match& match, Pasted& into,
              std::vector<Problem>& problems);

}  // namespace gpuwhy
