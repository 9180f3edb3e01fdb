#!/usr/bin/env bash
# Installs what is missing, builds the release binary and asks it why the GPU job of this host is
# slow. Arguments go to "gpuwhy diagnose", e.g. --pid 4242. The exit code is gpuwhy's.
set -euo pipefail
cd "$(dirname "$0")/.."

tools/install-packages.sh build
# The build speaks on stderr: stdout holds the diagnosis alone.
{
  cmake --preset release -DGPUWHY_TESTS=OFF
  cmake --build --preset release --target gpuwhy
} >&2
exec build/release/gpuwhy diagnose "$@"
