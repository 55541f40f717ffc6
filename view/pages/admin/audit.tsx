/**
 * The audit trail: the calls of users, and the refusals with their reasons.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { Choice } from "../../parts/choice.tsx";
import { onOpen, tryRpc } from "../../state/live.ts";
import { addressOf } from "../../state/route.ts";
import { auditTexts } from "../../texts/audit.ts";
import { textsOf } from "../../texts/texts.ts";
import { readResources, type Resources, targetsOf } from "../snapshots/targets.ts";
import { AuditTable } from "./audit-table.tsx";
import type { Lines } from "./audit-words.ts";

/** Number of lines that are read first, and on request. */
const LIMITS = { first: 100, more: 1000 };

const OUTCOMES = ["all", "done", "refused"] as const;

/** The filter, in addition to the fader that the address names. */
interface Asked {
  readonly outcome: (typeof OUTCOMES)[number];
  readonly user?: string;
  /** The bounds of the time, as the fields have them, in the time zone of the browser; or empty. */
  readonly since: string;
  readonly until: string;
  readonly limit: number;
}

/** The fader that the address names: its mixer and its number, or nothing. */
export interface AuditCardProps {
  readonly parts: readonly string[];
}

/** The trail, which is read when it is opened, when the filter changes, and by its button. */
export function AuditCard({ parts: [mixer, fader] }: AuditCardProps) {
  const own = textsOf(auditTexts);
  const path = fader === undefined ? "" : `/audio/mixers/${mixer}/faders/${fader}`;
  const [asked, setAsked] = useState<Asked>({
    outcome: "all",
    since: "",
    until: "",
    limit: LIMITS.first,
  });
  const [found, setFound] = useState<Lines | Error>();
  const [resources, setResources] = useState<Resources>();
  const ask = (change: Partial<Asked>) => setAsked({ ...asked, limit: LIMITS.first, ...change });
  useEffect(
    () => onOpen(() => void readResources().then((given) => given && setResources(given))),
    [],
  );
  useEffect(() => {
    // A late answer may belong to an earlier query.
    let isOver = false;
    const show = (answer: Lines | Error) => isOver || setFound(answer);
    const end = onOpen(() => void tryRpc("getaudit", queryOf(asked, path)).then(show, show));
    return () => {
      isOver = true;
      end();
    };
  }, [asked, path]);
  const isMore = Array.isArray(found) && found.length === asked.limit;
  return (
    <section class="card form audit">
      <header class="toolbar">
        <h2>{own.title}</h2>
        <span class="space" />
        <Button label={own.readAgain} onPress={() => setAsked({ ...asked })} />
      </header>
      <div class="audit-asked">
        <Choice
          label={own.outcome}
          items={OUTCOMES}
          chosen={asked.outcome}
          textOf={(item) => own.outcomes[item]}
          onChoose={(outcome) => ask({ outcome })}
        />
        <FaderField resources={resources} path={path} />
        <label class="field">
          <span>{own.user}</span>
          <input
            autocomplete="off"
            placeholder={own.anybody}
            onChange={({ currentTarget: { value } }) => ask({ user: value.trim() })}
          />
        </label>
        <TimeField label={own.since} onChange={(since) => ask({ since })} />
        <TimeField label={own.until} onChange={(until) => ask({ until })} />
      </div>
      {path !== "" && <p class="muted small">{own.faderHint}</p>}
      {found instanceof Error && <p role="status" class="refusal">{found.message}</p>}
      {Array.isArray(found) && <AuditTable lines={found} resources={resources} />}
      {isMore && asked.limit === LIMITS.first && (
        <Button
          label={own.showMore}
          onPress={() => ask({ limit: LIMITS.more })}
        />
      )}
      {isMore && asked.limit === LIMITS.more && <p class="muted">{own.oldest(LIMITS.more)}</p>}
    </section>
  );
}

function FaderField({ resources, path }: {
  readonly resources: Resources | undefined;
  readonly path: string;
}) {
  const own = textsOf(auditTexts);
  const faders = resources === undefined ? [] : targetsOf("channel", resources);
  const choose = (path: string) => {
    const [, , , mixer, , fader] = path.split("/");
    location.hash = addressOf("admin", "audit", ...(path === "" ? [] : [mixer!, fader!]));
  };
  return (
    <label class="field">
      <span>{own.fader}</span>
      <select value={path} onChange={({ currentTarget }) => choose(currentTarget.value)}>
        <option value="">{own.everything}</option>
        {faders.map(({ path, name }) => <option key={path} value={path}>{name}</option>)}
      </select>
    </label>
  );
}

function TimeField({ label, onChange }: {
  readonly label: string;
  readonly onChange: (value: string) => void;
}) {
  return (
    <label class="field">
      <span>{label}</span>
      <input
        type="datetime-local"
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
      />
    </label>
  );
}

function queryOf({ outcome, user, since, until, limit }: Asked, path: string) {
  const instant = (value: string) => {
    const time = new Date(value);
    // A text that is not a time, such as one with a year of five digits, is sent as it is: the
    // console refuses it, and the page shows why.
    return Number.isNaN(time.getTime()) ? value || undefined : time.toISOString();
  };
  return {
    limit,
    outcome: outcome === "all" ? undefined : outcome,
    user: user || undefined,
    path: path || undefined,
    since: instant(since),
    until: instant(until),
  };
}
