#!/usr/bin/env bash
# Installs what is missing, builds the release binary and asks it why the GPU job of this host is
# slow. Arguments go to "gpuwhy diagnose", e.g. --pid 4242. The exit code is gpuwhy's; where there is
# no binary to ask it is 3 as well: nothing could be measured.
set -euo pipefail
cd "$(dirname "$0")/.."

build() {
  tools/install-packages.sh build &&
    cmake --preset release -DGPUWHY_TESTS=OFF &&
    cmake --build --preset release
}
# The build speaks on stderr: stdout holds the diagnosis alone.
build >&2 || exit 3
exec build/release/gpuwhy diagnose "$@"
