// The node by itself: its devices, what it is made of, its kernel's log.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "capture/capture.h"
#include "capture/interner.h"
#include "collect/source.h"
#include "os/host.h"

namespace gpuwhy {

struct NodeOptions {
  std::string policy_toml;                          ///< kept in the capture
  std::string nvml;                                 ///< --nvml; empty: the driver's own library
  Nanos start_deadline = std::chrono::seconds(10);  ///< of that library
};

/// The sources that need no job.
void AddNodeSources(Host host, Interner& names, const NodeOptions& options,
                    std::vector<std::unique_ptr<Source>>& sources);

/// One look at this node, as fast as its driver answers.
[[nodiscard]] Capture LookAtNode(const NodeOptions& options);

}  // namespace gpuwhy
