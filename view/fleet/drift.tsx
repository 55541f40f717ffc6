/**
 * The page Drift: the standing of each console in a comparison with a template or a console. The
 * comparison uses digests alone; a section is read only on request.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { addressOf } from "../state/route.ts";
import { fleetTexts } from "../texts/fleet.ts";
import { fleetDriftTexts } from "../texts/fleet-drift.ts";
import { texts, textsOf } from "../texts/texts.ts";
import {
  type Compared,
  comparedIn,
  DRIFT_SHOWS,
  type DriftShow,
  partsOf,
  shownBy,
  standingOf,
  type Told,
} from "./compared.ts";
import type { FleetConsole } from "./console.ts";
import { ConsoleLine } from "./console-line.tsx";
import { DriftBar } from "./drift-bar.tsx";
import { DriftConsole } from "./drift-console.tsx";
import { consoles } from "./hub.ts";
import { useHubAnswer } from "./hub-answer.ts";
import { Looked } from "./looked.tsx";
import type { PageProps } from "./page-props.ts";
import { Refused } from "./refused.tsx";
import { consolesIn, EVERYTHING, foundOf } from "./rows.ts";
import { ScrolledList } from "./scrolled-list.tsx";
import { ShowButtons } from "./show-buttons.tsx";
import { useCollator } from "./use-collator.ts";

/**
 * Interval in ms at which the page asks for the comparison and the templates: a console reports its
 * digests at most once in 5 s.
 */
const EVERY_MS = 5000;

/** The page: `#/drift`, `#/drift/template/NAME`, `#/drift/console/ID`, and of a console `…/ID`. */
export function Drift({ parts }: PageProps) {
  const own = textsOf(fleetDriftTexts);
  const other = comparedIn(parts);
  const opened = parts[2];
  const [templates, askTemplates] = useHubAnswer("fleettemplatelist", {}, EVERY_MS);
  const [{ result, refusal }, ask] = useHubAnswer(
    "fleetdrift",
    other && { with: other },
    EVERY_MS,
  );
  const known = consoles.value;
  if (known === undefined) return <p class="muted">{texts().shell.loading}</p>;
  const all = consolesIn(known).filter(({ _state }) => _state !== "quarantined");
  return (
    <>
      {opened === undefined && (
        <DriftBar all={all} other={other} templates={templates} onChange={askTemplates} />
      )}
      {/* After a refusal, as when the template was removed, an earlier result is outdated. */}
      {refusal !== undefined && <Refused refusal={refusal} onAsk={ask} />}
      {other === undefined && <p>{own.chooseFirst}</p>}
      {other !== undefined && result === undefined && refusal === undefined && (
        <p class="muted">{texts().shell.loading}</p>
      )}
      {other !== undefined && result !== undefined && refusal === undefined &&
        (opened === undefined ? <DriftList all={all} other={other} told={result} /> : (
          <DriftConsole
            key={parts.join("/")}
            id={opened}
            other={other}
            sections={"console" in other
              ? undefined
              : templates.result?.find(({ name }) => name === other.template)?.sections ?? []}
            told={result.find((one) => one.console === opened)}
          />
        ))}
    </>
  );
}

interface DriftListProps {
  readonly all: readonly FleetConsole[];
  readonly other: Compared;
  readonly told: readonly Told[];
}

/** The lamp of each standing. */
const LAMPS = {
  itself: "good",
  same: "good",
  differs: "bad",
  foreign: "open",
  unknown: "open",
} as const;

/** The consoles and their standings. */
function DriftList({ all, other, told }: DriftListProps) {
  const own = textsOf(fleetDriftTexts);
  const { consoles, found } = textsOf(fleetTexts);
  const [filter, setFilter] = useState(EVERYTHING);
  const [show, setShow] = useState<DriftShow>("all");
  const collator = useCollator();
  const byId = new Map(told.map((one) => [one.console, one]));
  const standingAt = (id: string) => standingOf(id, other, byId.get(id));
  const by = shownBy(foundOf(all, filter, collator), standingAt);
  const rows = by[show];
  return (
    <>
      <div class="toolbar fleet-look">
        <Looked
          all={all}
          filter={filter}
          collator={collator}
          onLook={(part) => setFilter({ ...filter, ...part })}
        />
        <ShowButtons
          shows={DRIFT_SHOWS}
          shown={show}
          texts={own.shows}
          counts={{
            all: by.all.length,
            differs: by.differs.length,
            same: by.same.length,
            open: by.open.length,
          }}
          onShow={setShow}
        />
        <span class="space" />
        {by.differs.length > 0 && (
          <a
            class="button"
            href={addressOf("do", by.differs.map(({ _id }) => _id).join())}
          >
            {own.act(by.differs.length)}
          </a>
        )}
      </div>
      <p class="muted small" role="status">{found(rows.length, all.length)}</p>
      <ScrolledList label={consoles} rows={rows} keyOf={({ _id }) => _id}>
        {(console) => {
          const standing = standingAt(console._id);
          return (
            <ConsoleLine
              name={console._name}
              site={console._site}
              console={console}
              href={standing === "itself"
                ? undefined
                : addressOf("drift", ...partsOf(other), console._id)}
              lamp={console._state !== "live" && LAMPS[standing] === "good"
                ? "open"
                : LAMPS[standing]}
              word={own.standings[standing]}
              text={byId.get(console._id)?.differs.map((name) => own.sections[name]).join(", ")}
            />
          );
        }}
      </ScrolledList>
    </>
  );
}
