#!/bin/sh
# Brings what runs ARM64 programs on another machine to the folder that is named: QEMU and the C
# library for ARM64 from Debian's archive, by apt and as no more than files, and Deno from npm.
# What cannot be brought is not there afterwards, and the tests say that they were skipped.
set -eu
parts=$1
deno=@deno/linux-arm64-glibc@2.9.5
[ -x "$parts/deno/package/deno" ] && exit 0
mkdir -p "$parts/apt/lists" "$parts/apt/cache" "$parts/deno" "$parts/root" "$parts/qemu"
cd "$parts"
# With folders of its own, so that nothing of this machine's packages changes.
apt="apt-get -qq -o APT::Architectures::=arm64 -o APT::Sandbox::User=root
  -o Dir::State::lists=$PWD/apt/lists -o Dir::Cache=$PWD/apt/cache"
$apt update && $apt download qemu-user-static libc6:arm64 libgcc-s1:arm64 || exit 0
dpkg-deb -x qemu-user-static_*.deb qemu
dpkg-deb -x libc6_*.deb root
dpkg-deb -x libgcc-s1_*.deb root
tar xzf "$(npm pack --silent $deno)" -C deno
