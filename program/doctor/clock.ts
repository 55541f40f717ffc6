import { type Check, type Finding, note, well, wrong } from "./check.ts";

/** systemd creates this file once it has set the clock by a time server. */
const SYNCHRONIZED = "/run/systemd/timesync/synchronized";

/**
 * An earlier time is wrong, because this program did not exist then. A clock without a battery
 * starts in the past.
 */
const EARLIEST = Date.parse("2026-01-01");

const MINUTE_MS = 60_000;

/** Checks whether the clock can be right, because tokens and certificates expire by it. */
export const clock: Check = ({ data }): Finding => {
  const now = Date.now();
  const says = new Date(now).toISOString();
  const advice = "set the clock, and see timedatectl: tokens and certificates expire by it";
  if (now < EARLIEST) return wrong(`${says} is in the past`, advice);
  const written = latestIn(data);
  if (written - now > MINUTE_MS) {
    return wrong(
      `${says} is before the last change in ${data}, ${new Date(written).toISOString()}`,
      advice,
    );
  }
  try {
    Deno.statSync(SYNCHRONIZED);
    return well(`${says}, set by a time server`);
  } catch {
    return note(`${says}; it is not known whether a time server sets it`, "timedatectl shows it");
  }
};

function latestIn(data: string): number {
  try {
    const times = [...Deno.readDirSync(data)]
      .map(({ name }) => Deno.statSync(`${data}/${name}`).mtime?.getTime() ?? 0);
    return Math.max(0, ...times);
  } catch {
    return 0;
  }
}
