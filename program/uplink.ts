/**
 * The fleet of a running console: it follows the enrolment in the data folder and `fleet` of the
 * configuration.
 *
 * @module
 */
import { reasonOf } from "../core/errors.ts";
import type { Device } from "../core/backup/device.ts";
import { readHubAddress } from "../core/configuration/hub-address.ts";
import type { Console } from "../core/console.ts";
import { hexOf } from "../core/hex.ts";
import type { CooperativeScheduler, Timer } from "../core/ports.ts";
import type { Dial } from "../fleet/uplink/line.ts";
import type { WatchAudit } from "../fleet/uplink/told-calls.ts";
import { startUplink, type Uplink, type UplinkNews } from "../fleet/uplink/uplink.ts";
import type { FleetMay } from "../fleet/wire.ts";
import { machine } from "../runtimes/clock.ts";
import type { Service } from "../transport/arrival.ts";
import type { Sessions } from "../transport/websocket/sessions.ts";
import { createDial } from "./dial.ts";
import { readEnrolment } from "./enrolment-file.ts";
import { report, warn } from "./print.ts";
import { VERSION } from "./version.ts";

/** A running console, and its service. */
export interface InFleet {
  readonly console: Console;
  readonly service: Service;
  readonly sessions: Sessions;
  readonly device: Device;
  /** The audit trail of the console; undefined if it keeps none. */
  readonly watchAudit: WatchAudit | undefined;
  readonly data: string;
  readonly timer: Timer;
  readonly scheduler: CooperativeScheduler;
  readonly onFault: (fault: unknown) => void;
}

/** The fleet of a console. */
export interface Fleet {
  /** Reads the enrolment and the configuration again, and dials anew if they have changed. */
  reread(): void;
  /** Ends the connection. */
  stop(): void;
}

/** The settings by which a console reaches its hubs, and the right of the fleet. */
interface Settings {
  readonly console: string;
  readonly token: string;
  readonly hubs: readonly string[];
  readonly site: string;
  readonly may: FleetMay;
  readonly ca: string | undefined;
}

/** The number of random bytes that distinguish one start of the program from all others. */
const BOOT_BYTES = 16;

/** Has a console dial the hubs of its fleet. */
export function joinFleet(inFleet: InFleet): Fleet {
  const boot = hexOf(machine.random.bytes(BOOT_BYTES));
  let inForce = "";
  let uplink: Uplink | undefined;

  function reread(): void {
    const settings = settingsOf(inFleet);
    const text = JSON.stringify(settings ?? null);
    if (text === inForce) return;
    inForce = text;
    uplink?.stop();
    uplink = settings && start(settings);
  }

  function start({ console: id, token, hubs, site, may, ca }: Settings): Uplink | undefined {
    const { console, service, sessions, device, watchAudit, timer, scheduler, onFault } = inFleet;
    let dial: Dial;
    try {
      dial = createDial({ token, ca, timer, onFault });
    } catch (fault) {
      warn(
        `fleet: no hub is dialled, because the certificate of hubs is pinned: ${reasonOf(fault)}`,
      );
      return undefined;
    }
    return startUplink(console, {
      id,
      boot,
      hubs,
      summary: { site, may, version: VERSION },
      service,
      sessions,
      device,
      watchAudit,
      clock: machine.clock,
      timer,
      scheduler,
      random: Math.random,
      dial,
      onFault,
      tell,
    });
  }

  reread();
  return {
    reread,
    stop: () => uplink?.stop(),
  };
}

/** Returns the settings in force; undefined if the console can be in no fleet. */
function settingsOf({ console, data }: InFleet): Settings | undefined {
  const enrolment = readEnrolment(data);
  if (enrolment === undefined) return undefined;
  const { fleet } = console.state.configuration;
  const { token, ca, hubs, site } = enrolment;
  try {
    return {
      console: enrolment.console,
      token,
      hubs: fleet.hubs?.map((hub) => readHubAddress(hub)!) ?? hubs,
      site: fleet.site ?? site,
      may: fleet.may,
      ca: fleet.ca === undefined ? ca : Deno.readTextFileSync(fleet.ca),
    };
  } catch (fault) {
    warn(`fleet.ca: ${fleet.ca} cannot be read, so no hub is dialled: ${reasonOf(fault)}`);
    return undefined;
  }
}

function tell({ type, hub, why }: UplinkNews): void {
  const say = type === "connected" || type === "quarantined" ? report : warn;
  say(`fleet: ${sentences[type](hub, why)}`);
}

/**
 * Returns the end of a sentence that says where the trusted certificates come from; empty unless
 * the reason concerns a certificate.
 */
function pinned(why: string): string {
  return /certificate/.test(why) ? "; see fleet.ca, or enrol with --ca" : "";
}

const sentences: Readonly<Record<UplinkNews["type"], (hub: string, why: string) => string>> = {
  connected: (hub) => `connected to ${hub}`,
  quarantined: (hub) => `connected to ${hub}, where somebody has to approve this console`,
  lost: (hub, why) => `the connection to ${hub} is lost, and the console connects again: ${why}`,
  refused: (hub, why) => `${hub} has ended the connection: ${why}`,
  unreachable: (hub, why) =>
    `connected to no hub, and the console tries again; ${hub}: ${why}${pinned(why)}`,
};
