#!/bin/sh
# Prints what requests cost beside a bare server, with the Deno for ARM64 in the folder that is named:
# on such a machine by the Deno that runs this, on another one both servers under QEMU.
set -eu
parts=$(realpath "$1")
[ "$(uname -m)" != aarch64 ] || exec deno task bench rpc
[ -x "$parts/deno/package/deno" ] || exit 0
echo "This is no board: under QEMU only ratios of CPU time mean anything, and those not much."
exec deno task bench rpc --rounds 3 --seconds 3 \
  --deno "$parts/qemu/usr/bin/qemu-aarch64-static -L $parts/root $parts/deno/package/deno"
