#!/bin/sh
# The command faderd: one file, and the runtime beside it. Its flags are put in when it is packaged.

# Whether the flags $1 give the permission $2 without a limit. A list limits it wherever it stands,
# also beside the flag without one.
is_unlimited() {
  case " $1 " in
    *" $2="*) return 1 ;;
    *" $2 "*) return 0 ;;
    *) return 1 ;;
  esac
}

# Under systemd the service runs systemd-notify. Where any program may be run, a program would be a
# limit.
is_unlimited "$FADERD_PERMISSIONS" --allow-run ||
  FADERD_PERMISSIONS="$FADERD_PERMISSIONS ${NOTIFY_SOCKET:+--allow-run=systemd-notify}"
# A command may read and write any path; the service of the unit only the paths in its environment.
: "${FADERD_FILES=--allow-read --allow-write}"
# A hub on NATS imports hub-nats.js while it runs, which needs the permission to read it. Where any
# path may be read, a path would be a limit.
is_unlimited "$FADERD_FILES" --allow-read ||
  FADERD_FILES="$FADERD_FILES --allow-read=/usr/lib/faderd/hub-nats.js"
# shellcheck disable=SC2086
exec /usr/lib/faderd/deno @FLAGS@ --allow-env=NOTIFY_SOCKET,WATCHDOG_USEC \
  $FADERD_FILES $FADERD_PERMISSIONS /usr/lib/faderd/faderd.js "$@"
