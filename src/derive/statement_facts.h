// Which fact holds the lines of each statement.
#pragma once

#include "capture/pasted_logs.h"
#include "facts/catalogue.h"

namespace gpuwhy {

/// Every statement has one of its own.
[[nodiscard]] FactId FactOf(Statement statement);

}  // namespace gpuwhy
