#!/usr/bin/env bash
# Installs what is missing of the sections named (default: all) of tools/apt-packages.txt.
# Usage: tools/install-packages.sh [build] [test]. Asks for nothing where all is there.
set -euo pipefail
cd "$(dirname "$0")"

wanted=()
section=""
while read -r line; do
  line=${line%%#*}
  line=${line//[[:space:]]/}
  case $line in
    "") ;;
    \[*\]) section=${line:1:-1} ;;
    *) [[ $# -eq 0 || " $* " == *" $section "* ]] && wanted+=("$line") ;;
  esac
done <apt-packages.txt

if ! command -v dpkg-query >/dev/null; then
  echo "Not a Debian system: gpuwhy needs what these packages hold: ${wanted[*]}" >&2
  exit 0
fi
missing=()
for package in "${wanted[@]}"; do
  status=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [[ $status == installed ]] || missing+=("$package")
done
if [[ ${#missing[@]} -eq 0 ]]; then
  exit 0
fi

as_root=()
if [[ $(id -u) -ne 0 ]]; then
  command -v sudo >/dev/null || {
    echo "Run as root: apt-get install ${missing[*]}" >&2
    exit 1
  }
  as_root=(sudo)
fi
echo "Installing ${missing[*]}" >&2
# stdin is closed to dpkg's questions; stdout is kept for the program that is run next.
"${as_root[@]}" apt-get update -q >&2
"${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
  apt-get install -yq --no-install-recommends "${missing[@]}" </dev/null >&2
