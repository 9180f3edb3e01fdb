#include "parse/procfs/sysvipc.h"

#include <optional>

#include "base/text.h"

namespace gpuwhy {
namespace {

// The kernel's own limit for both is 32768 (IPCMNI).
constexpr std::size_t kMostObjects = 32768;

std::optional<std::int32_t> Number(const std::vector<std::string_view>& fields, std::size_t index) {
  if (index >= fields.size()) return std::nullopt;
  return ParseNumber<std::int32_t>(fields[index]);
}

}  // namespace

// key semid perms nsems ...
std::vector<SysvSet> ParseSysvSets(std::string_view text) {
  std::vector<SysvSet> sets;
  while (!text.empty() && sets.size() < kMostObjects) {
    const std::vector<std::string_view> fields = Fields(NextLine(text));
    const std::optional<std::int32_t> id = Number(fields, 1);
    const std::optional<std::int32_t> count = Number(fields, 3);
    if (id && count && *count >= 0) sets.push_back({*id, *count});
  }
  return sets;
}

// key msqid perms cbytes qnum lspid lrpid ...
std::vector<SysvMessages> ParseSysvMessages(std::string_view text) {
  std::vector<SysvMessages> queues;
  while (!text.empty() && queues.size() < kMostObjects) {
    const std::vector<std::string_view> fields = Fields(NextLine(text));
    const std::optional<std::int32_t> id = Number(fields, 1);
    const std::optional<std::int32_t> sender = Number(fields, 5);
    const std::optional<std::int32_t> receiver = Number(fields, 6);
    if (id && sender && receiver) queues.push_back({*id, *sender, *receiver});
  }
  return queues;
}

}  // namespace gpuwhy
