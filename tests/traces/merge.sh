#!/bin/sh
# merge.sh GPUWHY FOLDER FILE...: summaries that are made one by one, with --summary, and joined with --merge must
# say exactly what reading all traces at once says.
set -eu
gpuwhy=$1
folder=$2
shift 2
rm -rf "$folder"
mkdir -p "$folder"
"$gpuwhy" trace --format json "$@" >"$folder/at_once.json"
number=1000
for file in "$@"; do
  "$gpuwhy" trace --summary --output "$folder/sum.$number" "$file"
  number=$((number + 1))
done
"$gpuwhy" trace --merge --format json "$folder"/sum.* >"$folder/merged.json"
cmp "$folder/at_once.json" "$folder/merged.json"
