#!/usr/bin/env bash
# Installs what is missing, builds everything as it is shipped and runs every test. Arguments go to
# ctest, e.g. -L unit. What a test can't do here (no root, no ptrace) it skips, saying why.
set -euo pipefail
cd "$(dirname "$0")/.."

tools/install-packages.sh build test
cmake --preset release
cmake --build --preset release
exec ctest --preset release "$@"
