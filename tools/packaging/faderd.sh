#!/bin/sh
# The command faderd: one file, and the runtime beside it. Its flags are put in when it is packaged.
# Under systemd the service runs systemd-notify. Where any program may be run, a program would be a
# limit.
case " $FADERD_PERMISSIONS " in
  *" --allow-run="*) FADERD_PERMISSIONS="$FADERD_PERMISSIONS ${NOTIFY_SOCKET:+--allow-run=systemd-notify}" ;;
  *" --allow-run "*) ;;
  *) FADERD_PERMISSIONS="$FADERD_PERMISSIONS ${NOTIFY_SOCKET:+--allow-run=systemd-notify}" ;;
esac
# A command may read and write any path; the service of the unit only the paths in its environment.
: "${FADERD_FILES=--allow-read --allow-write}"
# A hub on NATS imports hub-nats.js while it runs, which needs the permission to read it. Where any
# path may be read, a path would be a limit.
case " $FADERD_FILES " in
  *" --allow-read "*) ;;
  *) FADERD_FILES="$FADERD_FILES --allow-read=/usr/lib/faderd/hub-nats.js" ;;
esac
# shellcheck disable=SC2086
exec /usr/lib/faderd/deno @FLAGS@ --allow-env=NOTIFY_SOCKET,WATCHDOG_USEC \
  $FADERD_FILES $FADERD_PERMISSIONS /usr/lib/faderd/faderd.js "$@"
