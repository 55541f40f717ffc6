#!/bin/sh
# Runs all benches on a board and writes their results as one JSON file, ./NAME.json:
#
#   sh bench/board.sh "Raspberry Pi 5, 8 GB, NVMe" [BENCH…] [--rounds N] [--seconds S]
#
# DENO names another Deno than that of npm, as DENO=/opt/deno/deno.
set -eu
cd "$(dirname "$0")/.."
if [ $# -eq 0 ]; then
  echo "usage: sh bench/board.sh NAME [BENCH…] [--rounds N] [--seconds S]" >&2
  exit 2
fi
# In a JSON string and in the name of a file, as it is.
name=$(printf %s "$1" | tr -d '"\\/\000-\037')
shift
deno=${DENO:-npx --yes deno@2.9.6}
said=$(mktemp)
trap 'rm -f "$said"' EXIT

# The last line is the object; the tables before it are for people.
$deno task bench --json "$@" > "$said" || { cat "$said"; exit 1; }
sed '$d' "$said"

{
  printf '{"board":"%s","machine":"%s","kernel":"%s",' "$name" "$(uname -m)" "$(uname -r)"
  printf '"cores":%s,"memoryKiB":%s,' "$(nproc)" "$(sed -n 's/^MemTotal: *\([0-9]*\).*/\1/p' /proc/meminfo)"
  printf '"deno":"%s",' "$($deno --version | sed -n 's/^deno \([^ ]*\).*/\1/p')"
  printf '"faderd":"%s","commit":"%s",' \
    "$(sed -n 's/^  "version": "\(.*\)",$/\1/p' deno.json)" \
    "$(git rev-parse --short HEAD 2> /dev/null || echo unknown)"
  printf '"benches":%s}\n' "$(tail -n 1 "$said")"
} > "$name.json"
echo "$name.json"
