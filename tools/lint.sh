#!/usr/bin/env bash
# Format, size and clang-tidy over the whole tree. Fails on any finding. Usage: tools/lint.sh [--without-tidy | --without-analyzer | FILE.cc ...]
# (files: clang-tidy only these). What clang-tidy found clean is not checked again until the file, a
# header it includes, its flags or .clang-tidy change (build/.lint-cache).
set -euo pipefail
cd "$(dirname "$0")/.."
failed=0
fail() {
  echo "lint: $*" >&2
  failed=1
}
tree() { PYTHONPATH=tools python3 -c 'import sys, tracked_files as t
print("\n".join(str(p) for p in t.tracked_files() if p.suffix in sys.argv[1:]))' "$@"; }

mapfile -t sources < <(tree .cc .h)

# Another version formats and finds otherwise: hence the pinned names.
clang-format-14 --dry-run -Werror "${sources[@]}" || fail "run: clang-format-14 -i on the files above"

# clang-tidy ignores a name that it does not know without a word: such a line checks nothing.
known=$(clang-tidy-14 --checks='*' --list-checks | sed -n 's/^ *\([a-z][a-zA-Z0-9.-]*\)$/\1/p')
while read -r name; do
  pattern=${name//./\\.}
  grep -qx -- "${pattern//\*/.*}" <<<"$known" || fail ".clang-tidy: clang-tidy 14 has no check $name"
done < <(sed -n '/^Checks:/,/^[A-Z][a-zA-Z]*: /{s/^ *-\?\([a-z][a-zA-Z0-9.*-]*\),\?$/\1/p}' .clang-tidy
         sed -n 's/^ *- *{ *key: *\([a-z0-9-]*\)\..*/\1/p' .clang-tidy | sort -u)

for file in "${sources[@]}"; do
  lines=$(wc -l <"$file")
  [[ $file != src/* || $lines -le 400 ]] || fail "$file: $lines lines, the limit is 400: split it by subject"
done

# A suppression without a name silences checks that nobody meant.
if grep -nE 'NOLINT(NEXTLINE|BEGIN|END)?($|[^(A-Z]|\(\s*\*?\s*\))' "${sources[@]}"; then
  fail "NOLINT needs the name of its check and the reason: // NOLINT(check-name): why"
fi

if [[ ${1:-} != --without-tidy ]]; then tools/run_tidy.py "$@" || fail "clang-tidy"; fi
exit "$failed"
