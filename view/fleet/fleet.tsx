/**
 * The Fleet page: all consoles by their sites, the search among them, and the operations on one of
 * them.
 *
 * @module
 */
import { useSignal } from "@preact/signals";
import { useMemo, useRef, useState } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { Question } from "../parts/question.tsx";
import { fleetTexts } from "../texts/fleet.ts";
import { textsOf } from "../texts/texts.ts";
import type { FleetConsole } from "./console.ts";
import { ConsoleList } from "./console-list.tsx";
import { Enrol } from "./enrol.tsx";
import { consoles, hubRpc } from "./hub.ts";
import { useHubAnswer } from "./hub-answer.ts";
import { Looked } from "./looked.tsx";
import {
  consolesIn,
  countsOf,
  EVERYTHING,
  type Filter,
  isSame,
  type Row,
  rowsOf,
  SHOWS,
} from "./rows.ts";
import { ShowButtons } from "./show-buttons.tsx";
import { Told } from "./told.tsx";
import { useCollator } from "./use-collator.ts";

/** The question that the page asks its user. */
type Asked =
  | { readonly what: "enrol" }
  | { readonly what: "approve" | "remove"; readonly console: FleetConsole };

/** Interval in ms of the comparisons with all templates. */
const DRIFT_MS = 15_000;

/** The page. */
export function Fleet() {
  const own = textsOf(fleetTexts);
  const [asked, setAsked] = useState<Asked>();
  const filter = useSignal(EVERYTHING);
  const collator = useCollator();
  const known = consoles.value;
  const all = known === undefined ? [] : consolesIn(known);
  const rows = useSame(rowsOf(all, filter.value, collator));
  // Without a right for all consoles a user learns nothing of templates, and no row shows any.
  const [{ result, refusal }] = useHubAnswer("fleettemplatedrift", {}, DRIFT_MS);
  // After a refusal, as when the user has lost that right, an earlier result is outdated.
  const differing = refusal === undefined ? result : undefined;
  const drift = useMemo(
    () => new Map(differing?.map(({ console, templates }) => [console, templates])),
    [differing],
  );
  const close = () => setAsked(undefined);
  const counts = countsOf(all);
  const found = rows.filter((row) => "id" in row).length;
  return (
    <>
      <Look
        all={all}
        counts={counts}
        filter={filter}
        collator={collator}
        onEnrol={() => setAsked({ what: "enrol" })}
      />
      <p class="muted small" role="status">{own.found(found, all.length)}</p>
      {known !== undefined && (
        <Told text={`${own.shows.alarms} ${counts.alarms}, ${own.shows.away} ${counts.away}`} />
      )}
      {known !== undefined && found === 0 && <p>{all.length === 0 ? own.none : own.noneFound}</p>}
      <ConsoleList
        rows={rows}
        drift={drift}
        onApprove={(console) => setAsked({ what: "approve", console })}
        onRemove={(console) => setAsked({ what: "remove", console })}
      />
      {asked?.what === "enrol" && <Enrol onClose={close} />}
      {asked?.what === "approve" && (
        <Question
          title={own.approveTitle(asked.console._name)}
          sentence={own.approveQuestion(asked.console._id)}
          label={own.approve}
          kind="primary"
          onYes={() => hubRpc("fleetapprove", { id: asked.console._id }).then(close)}
          onClose={close}
        />
      )}
      {asked?.what === "remove" && (
        <Question
          title={own.removeTitle(asked.console._name)}
          sentence={own.removeQuestion}
          label={own.remove}
          onYes={() => hubRpc("fleetremove", { id: asked.console._id }).then(close)}
          onClose={close}
        />
      )}
    </>
  );
}

/** Returns the previous rows if the new ones are the same. */
function useSame(rows: readonly Row[]): readonly Row[] {
  const before = useRef(rows);
  if (!isSame(before.current, rows)) before.current = rows;
  return before.current;
}

interface LookProps {
  readonly all: readonly FleetConsole[];
  readonly counts: ReturnType<typeof countsOf>;
  readonly filter: { value: Filter };
  readonly collator: Intl.Collator;
  readonly onEnrol: () => void;
}

/** The search. */
function Look({ all, counts, filter, collator, onEnrol }: LookProps) {
  const own = textsOf(fleetTexts);
  const { show } = filter.value;
  const look = (part: Partial<Filter>) => filter.value = { ...filter.value, ...part };
  return (
    <div class="toolbar fleet-look">
      <Looked all={all} filter={filter.value} collator={collator} onLook={look} />
      <ShowButtons
        shows={SHOWS}
        shown={show}
        texts={own.shows}
        counts={counts}
        onShow={(show) => look({ show })}
      />
      <span class="space" />
      <Button label={own.enrol} icon="plus" kind="primary" needs="admin" onPress={onEnrol} />
    </div>
  );
}
