// Small texts that say one thing: a CPU mask that shrank, contexts of sibling ranks on one GPU, a
// module that a search did not find, a report whose figures are means since boot.
#pragma once

#include <optional>
#include <string_view>

#include "capture/pasted_logs.h"

namespace gpuwhy {

/// Two CPU sets printed by one command, the later one far smaller; nullopt where there are none.
[[nodiscard]] std::optional<AffinityChange> FindAffinityChange(std::string_view text);
/// One large and at least three equal small processes of the same program on one GPU, with pids
/// close to each other: rows of nvidia-smi, squeezed or not.
[[nodiscard]] std::optional<StrayContexts> FindStrayContexts(std::string_view text);
/// "lsmod | grep nvidia_peermem" whose next line is a prompt again.
[[nodiscard]] std::optional<QuotedLine> FindPeermemAbsent(std::string_view text);
/// The heading of the only report of iostat, nfsiostat or mpstat: a mean since boot or mount.
/// tool: as RecogniseSummaryTool names it.
[[nodiscard]] std::optional<QuotedLine> FindSinceBoot(std::string_view text, std::string_view tool);

}  // namespace gpuwhy
