/**
 * The page Audit: the changes of the fleet with their users, and the refusals.
 *
 * @module
 */
import { useMemo, useRef, useState } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { timeText } from "../parts/time-text.ts";
import { language } from "../state/preferences.ts";
import { me } from "../state/rights.ts";
import { fleetTexts } from "../texts/fleet.ts";
import { fleetAuditTexts } from "../texts/fleet-audit.ts";
import { fleetUsersTexts } from "../texts/fleet-users.ts";
import { texts, textsOf } from "../texts/texts.ts";
import { type AuditLine, type AuditRow, auditRowOf, foundLines } from "./audit-rows.ts";
import { useHubAnswer } from "./hub-answer.ts";
import { NotAdmin } from "./not-admin.tsx";
import { Refused } from "./refused.tsx";
import { ShowButtons } from "./show-buttons.tsx";
import { useConsoleNames } from "./use-console-names.ts";

/** The number of lines that are read first, and on request: the maximum of a hub. */
const LIMITS = { first: 100, more: 1000 };

const SHOWS = ["all", "refused"] as const;

/** The page. */
export function Audit() {
  const user = me.value;
  const isAdmin = user?.admin === true;
  const [limit, setLimit] = useState(LIMITS.first);
  const [{ result, refusal }, ask] = useHubAnswer("getaudit", isAdmin ? { limit } : undefined);
  // While more lines are read, those that are there stay.
  const lines = useRef(result);
  if (result !== undefined) lines.current = result;
  if (user !== undefined && !isAdmin) return <NotAdmin />;
  if (refusal !== undefined) return <Refused refusal={refusal} onAsk={ask} />;
  if (lines.current === undefined) return <p class="muted">{texts().shell.loading}</p>;
  return (
    <AuditLines
      lines={lines.current}
      limit={limit}
      onAsk={ask}
      onMore={() => setLimit(LIMITS.more)}
    />
  );
}

interface AuditLinesProps {
  readonly lines: readonly AuditLine[];
  readonly limit: number;
  readonly onAsk: () => void;
  readonly onMore: () => void;
}

/** The lines, and the search among them. */
function AuditLines({ lines, limit, onAsk, onMore }: AuditLinesProps) {
  const own = textsOf(fleetAuditTexts);
  const nameOf = useConsoleNames();
  const [words, setWords] = useState("");
  const [show, setShow] = useState<typeof SHOWS[number]>("all");
  const locale = language.chosen.value;
  const rows = useMemo(() => {
    const timeOf = (instant: string) => timeText(instant, "medium");
    const told = { audit: own, timeOf, own: textsOf(fleetUsersTexts), nameOf };
    return lines.map((line) => auditRowOf(line, told));
  }, [lines, nameOf, locale]);
  const by = useMemo(() => {
    const all = foundLines(rows, words);
    return { all, refused: all.filter(({ line }) => line.refused !== undefined) };
  }, [rows, words]);
  return (
    <>
      <div class="toolbar fleet-look">
        <label class="field">
          <span>{textsOf(fleetTexts).search}</span>
          <input
            type="search"
            value={words}
            placeholder={own.searchHint}
            autocomplete="off"
            onInput={({ currentTarget }) => setWords(currentTarget.value)}
          />
        </label>
        <ShowButtons
          shows={SHOWS}
          shown={show}
          texts={own.shows}
          counts={{ all: by.all.length, refused: by.refused.length }}
          onShow={setShow}
        />
        <span class="space" />
        <Button label={own.readAgain} onPress={onAsk} />
      </div>
      <p class="muted small" role="status">{own.found(by[show].length, lines.length)}</p>
      {by[show].length === 0 ? <p>{own.none}</p> : <AuditList rows={by[show]} />}
      {lines.length === LIMITS.first && limit === LIMITS.first && (
        <Button label={own.showMore} onPress={onMore} />
      )}
      {lines.length === LIMITS.more && <p class="muted">{own.newest(LIMITS.more)}</p>}
    </>
  );
}

/** The lines below each other: drawn again when they change, and not whenever a console does. */
function AuditList({ rows }: { readonly rows: readonly AuditRow[] }) {
  const locale = language.chosen.value;
  return useMemo(() => {
    const own = textsOf(fleetAuditTexts);
    return (
      <ul class="list" aria-label={own.trail}>
        {rows.map(({ line: { from, refused }, time, user, call, target }, index) => (
          <li key={index} class="fleet-told">
            <span class="muted small">{time}</span>
            <div class="fleet-name">
              <bdi>{user}</bdi>
              <bdi class="muted small">{from}</bdi>
            </div>
            <div>
              <p>
                {call}
                {target !== "" && (
                  <>
                    : <bdi>{target}</bdi>
                  </>
                )}
              </p>
              {refused !== undefined && <p class="refusal">{own.refused(refused)}</p>}
            </div>
          </li>
        ))}
      </ul>
    );
  }, [rows, locale]);
}
