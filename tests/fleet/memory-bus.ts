/**
 * A bus between hubs in memory, which delays messages, and can be cut.
 *
 * @module
 */
import type { Json } from "../../core/json.ts";
import type { Timer } from "../../core/ports.ts";
import type { Bus } from "../../fleet/several-hubs/bus.ts";

/** The place of one hub at a bus. */
export interface BusPlace {
  readonly bus: Bus;
  /** Cuts it off from all others, or joins it again. */
  cut(isCut: boolean): void;
  /** Loses the next message to it. */
  lose(): void;
  /** Has all messages to it wait, or passes those on that waited, in order. */
  hold(isHeld: boolean): void;
}

interface Place {
  isCut: boolean;
  loses: boolean;
  arrivesAt: number;
  isHeld: boolean;
  readonly held: (() => void)[];
  readonly run: (work: () => void) => void;
}

interface Hearing {
  readonly place: Place;
  readonly pattern: RegExp;
  readonly hear: (subject: string, value: Json) => void;
}

/** Makes a bus; each call of the returned function adds a hub, whose work is done by `run`. */
export function memoryBus(timer: Timer, latencyMs: () => number) {
  const hearings = new Set<Hearing>();
  let asked = 0;

  return (run: (work: () => void) => void = (work) => work()): BusPlace => {
    const place: Place = {
      ...{ isCut: false, loses: false, arrivesAt: 0, isHeld: false, held: [], run },
    };

    function listen(pattern: string, hear: Hearing["hear"]): () => void {
      const tokens = pattern.split(".").map((token) =>
        token === "*" ? "[^.]+" : RegExp.escape(token)
      );
      const hearing = { place, pattern: new RegExp(`^${tokens.join("\\.")}$`), hear };
      hearings.add(hearing);
      return () => void hearings.delete(hearing);
    }

    const bus: Bus = {
      publish(subject, value) {
        if (place.isCut) return;
        const text = JSON.stringify(value);
        place.arrivesAt = Math.max(place.arrivesAt, timer.monotonic() + latencyMs());
        timer.at(place.arrivesAt, () => {
          for (const hearing of [...hearings]) {
            if (!hearing.pattern.test(subject)) continue;
            const at = hearing.place;
            if (at.isCut) continue;
            if (at.loses && at !== place) {
              at.loses = false;
              continue;
            }
            const work = () => {
              if (hearings.has(hearing)) hearing.hear(subject, JSON.parse(text));
            };
            if (at.isHeld) at.held.push(work);
            else at.run(work);
          }
        });
      },
      subscribe: listen,
      ask(subject, value, ms) {
        const answer = Promise.withResolvers<Json>();
        const inbox = `inbox.${++asked}`;
        const stop = listen(inbox, (_subject, found) => answer.resolve(found));
        const cancel = timer.at(
          timer.monotonic() + ms,
          () => run(() => answer.reject(new Error("no answer"))),
        );
        bus.publish(subject, { inbox, value });
        return answer.promise.finally(() => {
          stop();
          cancel();
        });
      },
      serve: (subject, answer) =>
        listen(subject, (_subject, given) => {
          const { inbox, value } = given as { readonly inbox: string; readonly value: Json };
          answer(value).then((found) => bus.publish(inbox, found));
        }),
    };
    return {
      bus,
      cut: (isCut) => void (place.isCut = isCut),
      lose: () => void (place.loses = true),
      hold(isHeld) {
        place.isHeld = isHeld;
        if (!isHeld) { for (const work of place.held.splice(0)) place.run(work); }
      },
    };
  };
}
