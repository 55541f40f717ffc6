#!/bin/sh
# npx hands no signal on: of `npx deno task start` it leaves deno task running when it is ended. So,
# where npx is among the processes above, this stays behind to look after it once a second, and ends
# deno task when it is gone, which hands that on to the service. Where npx started the task and is
# gone already, this fails, so that the service is not started. Anywhere else it does nothing.
task=$PPID
# Read before the walk: once its parent has ended, a process has that of all as its parent, which
# never ends.
runner=$(sed -n 's/^PPid:[^0-9]*//p' "/proc/$task/status")
above=$task
npx=
# The nearest npx: one further up, as of `npx deno task test`, started another task.
while [ -z "$npx" ] && [ "${above:-0}" -gt 1 ] && [ -r "/proc/$above/status" ]; do
  case "$(tr '\0' ' ' < "/proc/$above/cmdline")" in
    "npm exec "* | *"/npx "* | "npx "*) npx=$above ;;
  esac
  above=$(sed -n 's/^PPid:[^0-9]*//p' "/proc/$above/status")
done
if [ -z "$npx" ]; then
  # npm says in the environment what it has started.
  case "$npm_lifecycle_event $npm_lifecycle_script" in
    "npx "*deno*) [ ! -r "/proc/$task/status" ] || exit 1 ;;
  esac
  exit 0
fi
(
  while kill -0 "$npx" && kill -0 "$runner" && kill -0 "$task"; do sleep 1; done
  # Between two of its commands deno task hears no signal. The service takes 2 s to end.
  while kill -TERM "$task"; do sleep 3; done
) < /dev/null > /dev/null 2>&1 &
