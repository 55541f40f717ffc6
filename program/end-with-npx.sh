#!/bin/sh
# npx passes no signal on: when `npx deno task start` is ended, deno task keeps running. So, if npx
# is among the parent processes, this script stays in the background, checks for npx once a second,
# and ends deno task when npx is gone; deno task passes that on to the service. If npx started the
# task and is gone already, this fails, so that the service is not started. Anywhere else it does
# nothing.
task=$PPID
# Read before the walk: once its parent has ended, a process has init as its parent, which never
# ends.
runner=$(sed -n 's/^PPid:[^0-9]*//p' "/proc/$task/status")
above=$task
npx=
# The nearest npx: an npx further up, such as `npx deno task test`, started another task.
while [ -z "$npx" ] && [ "${above:-0}" -gt 1 ] && [ -r "/proc/$above/status" ]; do
  case "$(tr '\0' ' ' < "/proc/$above/cmdline")" in
    "npm exec "* | *"/npx "* | "npx "*) npx=$above ;;
  esac
  above=$(sed -n 's/^PPid:[^0-9]*//p' "/proc/$above/status")
done
if [ -z "$npx" ]; then
  # npm names the started command in the environment.
  case "$npm_lifecycle_event $npm_lifecycle_script" in
    "npx "*deno*) [ ! -r "/proc/$task/status" ] || exit 1 ;;
  esac
  exit 0
fi
(
  while kill -0 "$npx" && kill -0 "$runner" && kill -0 "$task"; do sleep 1; done
  # Between two of its commands deno task ignores signals. The service takes 2 s to end.
  while kill -TERM "$task"; do sleep 3; done
) < /dev/null > /dev/null 2>&1 &
