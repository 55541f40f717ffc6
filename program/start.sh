#!/bin/sh
# Runs the service by the Deno of the task, with no more permissions than its options need: to read
# and write its data and its configuration, and to listen on its addresses. Arguments: those of
# `deno run`, the program, and the options of `faderd serve`.
data=./data config='' listen=127.0.0.1:8080 tls=''
option=
for argument; do
  case "$option" in
    --data) data=$argument ;;
    --config) config=$argument ;;
    --listen) listen=$argument ;;
    --listen-tls) tls=$argument ;;
  esac
  option=$argument
  case "$argument" in
    --data=*) data=${argument#*=} ;;
    --config=*) config=${argument#*=} ;;
    --listen=*) listen=${argument#*=} ;;
    --listen-tls=*) tls=${argument#*=} ;;
  esac
done

# The service itself refuses empty values, in its own words.
data=${data:-.} listen=${listen:-127.0.0.1}

# A path as it is given, and the target of its links: Deno asks for both. A path with a comma cannot
# be given to Deno: then it is the folder above.
both() {
  { printf '%s\n' "$1"; readlink -f -- "$1"; } |
    sed '/^$/d; s|^[^/,]*,.*|.|; s|/[^/,]*,.*|/|' | uniq | paste -s -d , -
}

read="view/built,/etc/hostname"
# A missing folder is made, and its parent folder, which then has another entry, is synced.
made=$data
while [ ! -d "$made" ]; do
  above=$(dirname -- "$made")
  if [ -d "$above" ]; then
    read="$read,$(both "$above")"
    break
  fi
  made=$above
done
write=$(both "$made")
read="$read,$write"
# A restore replaces the configuration, by way of a file beside it, and syncs the folder.
if [ -n "$config" ]; then
  file=$(readlink -f -- "$config") || file=$config
  [ "$file" = "$config" ] || read="$read,$(both "$config")"
  read="$read,$(both "$(dirname -- "$file")")"
  write="$write,$(both "$file"),$(both "$file.new")"
fi
# The TLS front passes connections on to a server on this machine, and a restored certificate is
# tried there, too; mDNS is for `advertise`.
inner=127.0.0.1:0
[ -z "$tls" ] || inner=$tls,127.0.0.1
net="$listen,$inner,0.0.0.0:5353,224.0.0.251:5353"
# Where the configuration has other interfaces listen: `"listen": "127.0.0.1:9000"`.
configured=${config:-$data/configuration.json}
if [ -f "$configured" ]; then
  for other in $(grep -o '"listen"[[:space:]]*:[[:space:]]*"[^",[:space:]]*"' "$configured" |
    sed 's/.*"\([^"]*\)"$/\1/'); do
    net="$net,$other"
  done
fi
# The hubs of its fleet, wss://hub.example:8443/path, and the certificate that alone vouches for them.
pin=
for file in "$data/fleet.json" "$configured"; do
  [ -f "$file" ] || continue
  for hub in $(grep -o '"wss\?://[^",[:space:]]*"' "$file" | sed 's|^"[a-z]*://||; s|["/].*$||'); do
    net="$net,$hub"
  done
  ca=$(sed -n 's|.*"ca"[[:space:]]*:[[:space:]]*"\(/[^",]*\)".*|\1|p' "$file")
  [ -z "$ca" ] || read="$read,$ca"
  ! grep -q '"ca"[[:space:]]*:' "$file" || pin=--allow-env=DENO_TLS_CA_STORE
done

# npm starts Deno through a script, which is a process beside it.
deno=$(readlink "/proc/$PPID/exe")
case "$deno" in
  */deno) ;;
  *) deno=deno ;;
esac
shift
# The allocator returns unused memory: docs/firmware.md has the figures.
export MALLOC_ARENA_MAX=2 MALLOC_MMAP_THRESHOLD_=65536 MALLOC_TRIM_THRESHOLD_=65536
exec "$deno" run --allow-read="$read" --allow-write="$write" --allow-net="$net" $pin "$@"
