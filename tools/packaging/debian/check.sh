#!/bin/sh
# Tests the package of this machine as an operator uses it: installed in a clean Debian under a real
# systemd, used, upgraded, removed. `task deb` has to have made it. Needs root, debootstrap and
# systemd-nspawn; if something is missing it says so, and ends with status 0.
set -eu

package=$(ls dist/faderd_*_"$(dpkg --print-architecture)".deb 2> /dev/null) || {
  echo "skipped: there is no package: run deno task deb"
  exit 0
}
[ "$(id -u)" = 0 ] || {
  echo "skipped: this takes root"
  exit 0
}
for tool in debootstrap systemd-nspawn curl; do
  command -v "$tool" > /dev/null || {
    echo "skipped: there is no $tool"
    exit 0
  }
done

work=$(mktemp -d)
root=$work/root
container=
end() {
  [ -z "$container" ] || kill "$container" 2> /dev/null || true
  [ -z "$container" ] || wait "$container" 2> /dev/null || true
  rm -rf "$work"
}
trap end EXIT

debootstrap --variant=minbase --include=systemd,systemd-sysv,dbus,curl bookworm "$root" \
  > "$work/debootstrap.log" || {
  tail "$work/debootstrap.log"
  echo "skipped: Debian's archive does not give a system to try it in"
  exit 0
}
cp "$package" "$root/root/faderd.deb"
# The files that the documentation names, and the files that an upgrade asks about before it
# replaces them.
dpkg-deb --contents "$package" > "$work/contents"
for file in etc/default/faderd etc/faderd/console.json usr/bin/faderd usr/lib/sysusers.d/faderd.conf \
  usr/lib/faderd/service.js usr/lib/faderd/commands.js usr/lib/faderd/hub-nats.js \
  usr/lib/faderd/libsodium.js usr/share/doc/faderd/operating.md usr/share/doc/faderd/grafana/faderd.json \
  usr/share/doc/faderd/prometheus/faderd.rules.yml usr/share/doc/faderd/examples/faderd-hub.service \
  usr/share/doc/faderd/THIRD-PARTY-NOTICES \
  usr/share/doc/faderd/sbom.cdx.json lib/systemd/system/faderd-copy.timer; do
  grep -q " \./$file\$" "$work/contents" || { echo "failed: there is no $file in it"; exit 1; }
done
dpkg-deb --ctrl-tarfile "$package" | tar --extract --to-stdout ./conffiles > "$work/conffiles"
printf '/etc/default/faderd\n/etc/faderd/console.json\n' | diff - "$work/conffiles"
# The next version: the same, with another number.
dpkg-deb --raw-extract "$package" "$work/next"
sed -i 's/^Version: .*/&+next/' "$work/next/DEBIAN/control"
dpkg-deb --root-owner-group -Znone --build "$work/next" "$root/root/next.deb" > /dev/null

cat > "$root/root/try.sh" << 'END'
set -eux
cd /root
url=http://127.0.0.1:8080
level=$url/api/rest/audio/mixers/0/faders/0/fader
dpkg --install faderd.deb
systemctl is-active faderd
faderd health
token=$(cat /var/lib/faderd/admin-token)
curl -sf -H "Authorization: Bearer $token" "$level?set=-20"
systemctl stop faderd
faderd user add anna --groups 1 --data /var/lib/faderd > anna
systemctl start faderd
curl -sf -H "Authorization: Bearer $(cat anna)" "$level?set=-21"
sed -i 's/"faders": 8/"faders": 5/' /etc/faderd/console.json
systemctl reload faderd
# The reload is only requested, and nobody waits for its end.
for _ in $(seq 50); do
  curl -sf "$url/api/rest/audio/mixers/0/faders/5/fader" || break
  sleep 0.1
done
install -m 0600 /var/lib/faderd/admin-token token
# A configuration file that root has replaced as a whole is read, too.
sed 's/"faders": 5/"faders": 4/' /etc/faderd/console.json > replaced.json
install -m 0600 replaced.json /etc/faderd/console.json
systemctl reload faderd
for _ in $(seq 50); do
  curl -sf "$url/api/rest/audio/mixers/0/faders/4/fader" || break
  sleep 0.1
done
if curl -sf "$url/api/rest/audio/mixers/0/faders/4/fader"; then exit 1; fi
faderd backup backup.bin --tags FWCONFIG --url "$url" --token-file token
[ "$(stat -c %a backup.bin)" = 600 ]
faderd restore backup.bin --tags FWCONFIG --url "$url" --token-file token
[ "$(stat -c %U /etc/faderd /etc/faderd/console.json | sort -u)" = faderd ]
# The doctor finds the console of the package by itself.
faderd doctor
# A copy beside the service, by the unit, and a restore of it.
[ "$(systemctl is-enabled faderd-copy.timer)" = disabled ]
systemctl start faderd-copy
copy=$(ls /var/lib/faderd-copies/*.copy)
faderd copy check "$copy"
curl -sf -H "Authorization: Bearer $(cat anna)" "$level?set=-30"
systemctl stop faderd
faderd copy restore "$copy" --replace
systemctl start faderd
[ "$(curl -sf "$level")" = -21 ]
dpkg --install next.deb
systemctl is-active faderd
[ "$(curl -sf "$level")" = -21 ]
grep '"faders": 4' /etc/faderd/console.json
# A service that gives no more signs of life is restarted.
mkdir -p /etc/systemd/system/faderd.service.d
printf '[Service]\nWatchdogSec=3\n' > /etc/systemd/system/faderd.service.d/check.conf
systemctl daemon-reload
systemctl restart faderd
sleep 5
[ "$(systemctl show --value --property NRestarts faderd)" = 0 ]
systemctl kill --signal STOP --kill-who main faderd
for _ in $(seq 30); do
  [ "$(systemctl show --value --property NRestarts faderd)" = 0 ] || break
  sleep 1
done
sleep 5
[ "$(systemctl show --value --property NRestarts faderd)" = 1 ]
systemctl is-active faderd
# At the end of the service its notifier is not killed before it has notified systemd.
for _ in $(seq 6); do
  systemctl reset-failed faderd
  systemctl restart faderd
done
if journalctl --unit faderd | grep "systemd cannot be told"; then exit 1; fi
dpkg --remove faderd
[ -e /var/lib/faderd/00000001.log ]
dpkg --install faderd.deb
[ "$(curl -sf "$level")" = -21 ]
dpkg --purge faderd
[ ! -e /etc/faderd/console.json ]
END
cat > "$root/etc/systemd/system/check.service" << 'END'
[Service]
Type=oneshot
StandardOutput=file:/root/said
StandardError=inherit
ExecStart=/bin/bash /root/try.sh
ExecStopPost=/bin/sh -c 'echo "$SERVICE_RESULT" > /root/result'
[Install]
WantedBy=multi-user.target
END
# The package starts its service while this one is under way: it must not wait for the boot.
printf '[Unit]\nAfter=multi-user.target\n' >> "$root/etc/systemd/system/check.service"
systemctl --root "$root" enable check.service 2> /dev/null
systemd-nspawn --quiet --directory "$root" --register=no --keep-unit --private-network --boot \
  > "$work/boot.log" 2>&1 < /dev/null &
container=$!
for _ in $(seq 600); do
  [ ! -e "$root/root/result" ] || break
  sleep 1
done
result=$(cat "$root/root/result" 2> /dev/null || echo "it did not end")
[ "$result" = success ] || {
  tail -n 20 "$root/root/said" "$work/boot.log"
  echo "failed: $result"
  exit 1
}
echo "installed, used, upgraded, watched, removed: all well"
