/**
 * Controllers side by side that operate the page: eight strips each, in the order of their ports.
 * They have the faders of the mixer that the page shows, or showed last.
 *
 * @module
 */
import { batch, effect, type ReadonlySignal, signal } from "@preact/signals";
import type { RequestError } from "../../client/client.ts";
import { onOpen, read, tryRead } from "../state/live.ts";
import { route } from "../state/route.ts";
import { createFeedback, type Feedback } from "./feedback.ts";
import {
  ALL_MODELS,
  challengeAnswer,
  type MidiBytes,
  MODELS,
  query,
  readMessage,
  STRIPS,
} from "./mackie.ts";
import {
  connectNoFader,
  connectStrip,
  type ControllerStrip,
  darkenStrip,
  newHand,
  type StripHand,
} from "./strip.ts";

/** A controller that is connected. */
export interface Controller {
  /** Whether it is an extender by its name; an extender has another address. */
  readonly isExtender: boolean;
  send(bytes: MidiBytes): void;
  /** Sets the listener of its messages; undefined removes the listener. */
  listen(listener: ((bytes: MidiBytes) => void) | undefined): void;
}

/** The mixer and the numbers of its faders. */
interface Desk {
  readonly mixer: number;
  readonly faders: readonly number[];
}

/** The code of a refusal of a path that does not exist. */
const NOT_FOUND = 6;

/** Connects controllers, as they come and go; the returned function ends that. */
export function connectControllers(controllers: ReadonlySignal<readonly Controller[]>): () => void {
  const desk = signal<Desk | undefined>(undefined);
  const first = signal(0);
  let isOver = false;

  let asks = 0;
  const readDesk = async () => {
    const ask = ++asks;
    const [page = "mixer", named] = route.peek();
    const shown = page === "mixer" ? named : desk.peek()?.mixer;
    // Without a number the page shows the first mixer.
    const mixer = Number(
      shown ?? Object.keys(await read("/audio/mixers", { depth: 1 }) ?? {})[0],
    );
    if (!Number.isInteger(mixer)) return;
    // A mixer that the configuration does not have has no faders. Without an answer they stay.
    const faders = await tryRead(`/audio/mixers/${mixer}/faders`, { depth: 1 }).catch(
      ({ code }: RequestError) => code === NOT_FOUND ? {} : undefined,
    );
    // The page may show another mixer by now.
    if (faders === undefined || ask !== asks) return;
    const next = { mixer, faders: Object.keys(faders as object).map(Number) };
    if (JSON.stringify(next) === JSON.stringify(desk.peek())) return;
    // At once: a motor must not go to a fader that the strip does not keep.
    batch(() => {
      if (mixer !== desk.peek()?.mixer) first.value = 0;
      desk.value = next;
      // The configuration may have fewer faders by now.
      if (next.faders.length > 0) step(0);
    });
  };
  const stopReading = onOpen(readDesk);
  const stopFollowing = effect(() => {
    // Also if the strips have this mixer already: the answer for another one may be under way.
    const [page = "mixer"] = route.value;
    if (page === "mixer") readDesk().catch(() => {});
  });

  const step = (strips: number) => {
    const all = controllers.peek().length * STRIPS;
    const last = Math.max(0, (desk.peek()?.faders.length ?? 0) - all);
    first.value = Math.max(0, Math.min(last, first.peek() + strips));
  };

  /** The hands at each connected controller, which stay there when another one comes or goes. */
  const handsAt = new Map<Controller, StripHand[]>();

  const stopConnecting = effect(() => {
    const all = controllers.value;
    const units = all.map((controller, number) => {
      // A second controller is an extender, until it says something else.
      const isExtender = controller.isExtender || number > 0;
      const model = isExtender ? MODELS.extender : MODELS.main;
      const feedback = createFeedback(model, controller.send);
      const strips = connectUnit(
        controller,
        feedback,
        (what, by) => step(what === "bank" ? by * all.length * STRIPS : by),
      );
      for (const one of ALL_MODELS) controller.send(query(one));
      const hands = handsAt.get(controller) ?? Array.from({ length: STRIPS }, newHand);
      handsAt.set(controller, hands);
      return { feedback, strips, hands };
    });
    const stopShowing = effect(() => {
      const { mixer, faders } = desk.value ?? { mixer: 0, faders: [] };
      const ends = units.map(({ feedback, strips, hands }, number) => {
        const from = first.value + number * STRIPS;
        for (let strip = 0; strip < STRIPS; strip++) {
          const fader = faders[from + strip];
          const hand = hands[strip]!;
          strips[strip] = fader === undefined
            ? connectNoFader(feedback, strip, hand)
            : connectStrip(feedback, strip, hand, mixer, fader);
        }
        return () => strips.splice(0).forEach((strip) => strip.end());
      });
      return () => ends.forEach((end) => end());
    });
    return () => {
      stopShowing();
      units.forEach(({ feedback }, number) => {
        all[number]!.listen(undefined);
        if (!isOver && controllers.peek().includes(all[number]!)) return;
        handsAt.delete(all[number]!);
        darken(feedback);
      });
    };
  });

  return () => {
    isOver = true;
    stopReading();
    stopFollowing();
    stopConnecting();
  };
}

function darken(feedback: Feedback): void {
  for (let strip = 0; strip < STRIPS; strip++) darkenStrip(feedback, strip);
}

/** Passes the operations at a controller to its strips, which the caller fills in. */
function connectUnit(
  controller: Controller,
  feedback: Feedback,
  step: (what: "bank" | "channel", by: 1 | -1) => void,
): ControllerStrip[] {
  const strips: ControllerStrip[] = [];
  controller.listen((bytes) => {
    const action = readMessage(bytes);
    switch (action?.what) {
      case "move":
        return strips[action.strip]?.move(action.travel);
      case "touch":
        return strips[action.strip]?.touch(action.isTouched);
      case "press":
        return strips[action.strip]?.press(action.key);
      case "bank":
      case "channel":
        return step(action.what, action.by);
      case "ready":
        // It does nothing before its challenge is answered.
        if (action.challenge !== undefined) {
          controller.send(challengeAnswer(action.model, action.challenge));
        }
        feedback.restore(action.model);
    }
  });
  return strips;
}
