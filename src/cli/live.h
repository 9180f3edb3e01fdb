// A live run: this host, watched for a while, as one Capture.
#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "capture/capture.h"
#include "cli/recording_writer.h"
#include "facts/fact_set.h"

namespace gpuwhy {

struct LiveOptions {
  std::int32_t pid = 0;  ///< 0: to be found in the first part of the time
  Nanos duration{0};
  std::string policy_toml;               ///< kept in the capture, so that a replay judges alike
  std::atomic<bool>* stop = nullptr;     ///< ends the watching early; set where the recording fails
  std::string nvml;                      ///< --nvml; empty: the driver's own library
  RecordingWriter* recording = nullptr;  ///< gets all that is seen, but for the end; may be null
  /// Told what is being done, for people; may be null.
  std::function<void(const std::string&)> progress;
};

/// Watches this host. What could not be seen is in the capture, with reasons: there is no failure.
[[nodiscard]] Capture WatchHost(const LiveOptions& options);

}  // namespace gpuwhy
