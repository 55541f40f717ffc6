/**
 * Commands to consoles that another hub holds. Kept commands go by the ledger, from which that hub
 * takes them. Live commands, and previews, are sent to it by the bus, once: if its answer does not
 * come, the outcome of a command is unknown.
 *
 * @module
 */
import { createListeners } from "../../client/listeners.ts";
import type { Json } from "../../core/json.ts";
import type { Clock } from "../../core/ports.ts";
import type { Bus } from "./bus.ts";
import type { Command, CommandPreview, CommandResult, Commands } from "../commands/command.ts";
import { type Became, keyOf } from "../commands/command-way.ts";
import { LIVE_GRACE_MS, PREVIEW_MS } from "../hub/hub-limits.ts";
import type { HubId, PeerSubjects } from "./peer-frames.ts";
import type { Peers } from "./peers.ts";

/** The parts of {@link createCommandsBetweenHubs}. */
export interface CommandsBetweenParts {
  readonly bus: Bus;
  readonly subjects: PeerSubjects;
  readonly hub: HubId;
  readonly peers: Peers;
  readonly clock: Clock;
}

/** Commands to all consoles of the fleet. */
export interface CommandsBetweenHubs extends Commands {
  close(): void;
}

/** Additional time in ms for a command, and for a preview, to go to the other hub and back. */
const WAY_MS = 2000;

const LOST: Became = {
  outcome: "unknown",
  why: "the hub that the console is connected to did not answer: nobody knows whether it was " +
    "carried out",
};

/** Makes the commands to all consoles; `own` sends commands to the consoles of this hub. */
export function createCommandsBetweenHubs(
  own: Commands,
  { bus, subjects, hub, peers, clock }: CommandsBetweenParts,
): CommandsBetweenHubs {
  const listeners = createListeners<CommandResult>();
  /** The results for which other hubs wait, by the keys of the commands. */
  const awaited = new Map<string, PromiseWithResolvers<CommandResult>>();

  const stops = [
    own.watch((result) => {
      if (result.outcome !== "sent" && result.outcome !== "queued") {
        awaited.get(keyOf(result.console, result.id))?.resolve(result);
      }
    }),
    bus.serve(
      subjects.command(hub),
      async (value) => await carryOut(value as unknown as Command) as unknown as Json,
    ),
    bus.serve(
      subjects.preview(hub),
      async (value) => await ownPreview(value as unknown as Command) as unknown as Json,
    ),
  ];

  /** Carries out a live command for another hub. */
  async function carryOut(command: Command): Promise<CommandResult> {
    const key = keyOf(command.console, command.id);
    const before = awaited.get(key);
    if (before !== undefined) return await before.promise;
    const ended = Promise.withResolvers<CommandResult>();
    awaited.set(key, ended);
    try {
      await own.submit([command]);
      return await ended.promise;
    } finally {
      awaited.delete(key);
    }
  }

  function tell(command: Command, became: Became): void {
    const { id, console, batch } = command;
    const result = { id, console, batch, time: clock.now(), ...became };
    listeners.tell(result);
  }

  async function handOver(other: HubId, command: Command): Promise<void> {
    tell(command, { outcome: "sent" });
    const ms = Math.max(0, command.expires - clock.now()) + LIVE_GRACE_MS + WAY_MS;
    const asked = command as unknown as Json;
    try {
      const answer = await bus.ask(subjects.command(other), asked, ms);
      const { id: _id, console: _console, batch: _batch, time: _time, ...became } =
        answer as unknown as CommandResult;
      tell(command, became);
    } catch {
      tell(command, LOST);
    }
  }

  async function ownPreview(command: Command): Promise<CommandPreview> {
    const found: CommandPreview[] = [];
    await own.preview([command], (preview) => void found.push(preview));
    return found[0]!;
  }

  async function previewOf(command: Command): Promise<CommandPreview> {
    const other = peers.holderOf(command.console);
    if (other === undefined) return await ownPreview(command);
    const ms = PREVIEW_MS + WAY_MS;
    try {
      const answer = await bus.ask(subjects.preview(other), command as unknown as Json, ms);
      return answer as unknown as CommandPreview;
    } catch {
      return {
        console: command.console,
        noPreview: "the hub that it is connected to did not answer",
      };
    }
  }

  return {
    async submit(commands) {
      const here: Command[] = [];
      for (const command of commands) {
        const other = command.kind === "live" ? peers.holderOf(command.console) : undefined;
        if (other === undefined) here.push(command);
        else void handOver(other, command);
      }
      await own.submit(here);
    },
    outcomeOf: own.outcomeOf,
    async preview(commands, said) {
      await Promise.all(commands.map((command) => previewOf(command).then(said)));
    },
    watch(listener) {
      const stop = listeners.add(listener);
      const stopOwn = own.watch(listener);
      return () => {
        stop();
        stopOwn();
      };
    },
    close() {
      for (const stop of stops) stop();
    },
  };
}
