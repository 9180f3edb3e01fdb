#include "cli/commands.h"

namespace gpuwhy {

int RunExplain(const ExplainOptions& options) { return options.words.empty() ? 0 : 2; }

}  // namespace gpuwhy
