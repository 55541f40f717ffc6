/**
 * The results of a batch at each console, as they arrive.
 *
 * @module
 */
import type { ReadonlySignal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import type { RequestError } from "../../client/client.ts";
import { Button } from "../parts/button.tsx";
import { at, onOpen, tryRead } from "../state/live.ts";
import { fleetDoTexts } from "../texts/fleet-do.ts";
import { textsOf } from "../texts/texts.ts";
import type { Outcome } from "./console.ts";
import { OutcomeRow } from "./outcome-row.tsx";
import { ScrolledList } from "./scrolled-list.tsx";
import { Told } from "./told.tsx";

/** The code of the refusal of a hub that has no such batch. */
const NONE = 6;

/** A batch, as the tree of a hub has it. */
interface BatchBranch {
  readonly _state: "running" | "settled" | "removed";
  readonly counts: { readonly [Word in Outcome as `_${Word}`]: number };
  readonly results: Readonly<
    Record<string, {
      readonly _name: string;
      readonly _site: string;
      readonly _outcome: Outcome;
      readonly _why: string;
    }>
  >;
}

/** The properties of the results. */
export interface BatchResultsProps {
  readonly batch: string;
  readonly onAgain: () => void;
}

/** The results, a row for each console. */
export function BatchResults({ batch, onAgain }: BatchResultsProps) {
  const own = textsOf(fleetDoTexts);
  const known = (at(`/batches/${batch}`) as ReadonlySignal<unknown>).value as
    | BatchBranch
    | undefined;
  const [isGone, setGone] = useState(false);
  // A refused subscription has no value, and neither has one that is not answered yet.
  useEffect(
    () =>
      onOpen(() =>
        void tryRead(`/batches/${batch}/_state`, {}).catch(({ code }: RequestError) => {
          // For good: a refused subscription is not made again.
          if (code === NONE) setGone(true);
        })
      ),
    [batch],
  );
  if (known === undefined || known._state === "removed") {
    const text = known === undefined && !isGone ? own.busy : own.forgotten;
    return (
      <>
        <Told text={text} isLast />
        <p>{text}</p>
      </>
    );
  }
  const { counts } = known;
  const failed = counts._refused + counts._expired + counts._unknown;
  const outcomes = Object.keys(own.outcomes) as Outcome[];
  const said = outcomes.filter((outcome) => counts[`_${outcome}`] > 0)
    .map((outcome) => `${counts[`_${outcome}`]} ${own.outcomes[outcome]}`).join(", ");
  return (
    <>
      <Told text={said} isLast={known._state === "settled"} />
      <div class="toolbar">
        <p>{said}</p>
        <span class="space" />
        {failed > 0 && <Button label={own.again(failed)} needs="operate" onPress={onAgain} />}
      </div>
      <ScrolledList
        label={own.results}
        rows={Object.entries(known.results)}
        keyOf={([console]) => console}
      >
        {([, { _name, _site, _outcome, _why }]) => (
          <OutcomeRow
            name={_name}
            site={_site}
            outcome={_outcome}
            word={own.outcomes[_outcome]}
            text={_why}
          />
        )}
      </ScrolledList>
    </>
  );
}
