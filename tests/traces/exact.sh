#!/bin/sh
# exact.sh GPUWHY COLLECTION: every figure of the collection's traces, to the nanosecond.
if [ ! -x "$2/tools/check_traces" ]; then
  echo "skipped: no collection of traces at $2"
  exit 77
fi
exec "$2/tools/check_traces" "$1" "$2/traces"
