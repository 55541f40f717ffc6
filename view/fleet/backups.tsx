/**
 * The page Backups: the newest backup of each console, and its alarm.
 *
 * @module
 */
import { useMemo, useState } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { timeText } from "../parts/time-text.ts";
import { size } from "../pages/admin/amounts.ts";
import { notice } from "../state/notices.ts";
import { language } from "../state/preferences.ts";
import { me } from "../state/rights.ts";
import { addressOf } from "../state/route.ts";
import { fleetTexts } from "../texts/fleet.ts";
import { fleetBackupsTexts } from "../texts/fleet-backups.ts";
import { texts, textsOf } from "../texts/texts.ts";
import { ageText } from "./age-text.ts";
import { type BackupRow, backupRowsOf, foundRows } from "./backup-rows.ts";
import { ConsoleBackups } from "./console-backups.tsx";
import { ConsoleLine } from "./console-line.tsx";
import { consoles, hubRpc } from "./hub.ts";
import { useHubAnswer } from "./hub-answer.ts";
import { Looked } from "./looked.tsx";
import { NotAdmin } from "./not-admin.tsx";
import type { PageProps } from "./page-props.ts";
import { Refused } from "./refused.tsx";
import { consolesIn, EVERYTHING } from "./rows.ts";
import { ScrolledList } from "./scrolled-list.tsx";
import { ShowButtons } from "./show-buttons.tsx";
import { useCollator } from "./use-collator.ts";

/** Interval in ms at which the page asks for the list: the hub makes few backups a minute. */
const EVERY_MS = 60_000;

/** The code of the refusal of a hub that makes no backups. */
const NONE = 6;

/** An example of the configuration of a hub that makes backups. */
const EXAMPLE = '"backup": {"at": "02:30", "folder": "/var/lib/faderd-backups", "keep": 30}';

/** The page: `#/backups`, and the backups of a console: `#/backups/ID`. */
export function Backups({ parts: [opened] }: PageProps) {
  const own = textsOf(fleetBackupsTexts);
  const user = me.value;
  const isAdmin = user?.admin === true;
  const [listed, ask] = useHubAnswer(
    "fleetbackuplist",
    isAdmin ? { newest: true } : undefined,
    EVERY_MS,
  );
  const [making, setMaking] = useState<ReadonlySet<string>>(new Set());
  const locale = language.chosen.value;
  const collator = useCollator();
  const ages = useMemo(() => new Intl.RelativeTimeFormat(locale), [locale]);
  const known = consoles.value;
  if (user !== undefined && !isAdmin) return <NotAdmin sentence={own.notAdmin} />;
  if (listed.refusal !== undefined) {
    return (
      <Refused refusal={listed.refusal} onAsk={ask}>
        {listed.refusal.code === NONE && (
          <>
            <p>{own.none}</p>
            <code class="fleet-code">{EXAMPLE}</code>
          </>
        )}
      </Refused>
    );
  }
  if (known === undefined || listed.result === undefined) {
    return <p class="muted">{texts().shell.loading}</p>;
  }
  const rows = backupRowsOf(listed.result, known, own.never, collator);

  async function backUp({ id, name }: BackupRow): Promise<void> {
    setMaking((before) => new Set(before).add(id));
    try {
      const { bytes } = await hubRpc("fleetbackupnow", { console: id });
      notice(own.made(name, size(bytes, texts().decimal)));
    } catch (fault) {
      notice((fault as Error).message);
    }
    setMaking((before) => new Set([...before].filter((one) => one !== id)));
    ask();
  }

  /** The reason for which no backup of a console can be made now. */
  const reasonAt = ({ id, console }: BackupRow) =>
    making.has(id) ? own.making : console?._state === "live" ? undefined : own.notLive;
  const row = rows.find(({ id }) => id === opened);
  return opened === undefined
    ? (
      <BackupList
        rows={rows}
        collator={collator}
        ages={ages}
        onBackUp={backUp}
        reasonAt={reasonAt}
      />
    )
    : (
      <ConsoleBackups
        key={opened}
        id={opened}
        row={row}
        ages={ages}
        others={consolesIn(known).filter(({ _id, _state }) => _state === "live" && _id !== opened)}
        reason={row && reasonAt(row)}
        onBackUp={() => row && backUp(row)}
      />
    );
}

interface BackupListProps {
  readonly rows: readonly BackupRow[];
  readonly collator: Intl.Collator;
  readonly ages: Intl.RelativeTimeFormat;
  readonly onBackUp: (row: BackupRow) => Promise<void>;
  readonly reasonAt: (row: BackupRow) => string | undefined;
}

const SHOWS = ["all", "alarms"] as const;

/** The consoles, each with its newest backup. */
function BackupList({ rows, collator, ages, onBackUp, reasonAt }: BackupListProps) {
  const own = textsOf(fleetBackupsTexts);
  const { consoles, found } = textsOf(fleetTexts);
  const [filter, setFilter] = useState(EVERYTHING);
  const [show, setShow] = useState<typeof SHOWS[number]>("all");
  const all = foundRows(rows, filter.words, filter.site);
  const by = { all, alarms: all.filter(({ alarm }) => alarm !== undefined) };
  return (
    <>
      <div class="toolbar fleet-look">
        <Looked
          all={rows.map(({ site }) => ({ _site: site }))}
          filter={filter}
          collator={collator}
          onLook={(part) => setFilter({ ...filter, ...part })}
        />
        <ShowButtons
          shows={SHOWS}
          shown={show}
          texts={own.shows}
          counts={{ all: by.all.length, alarms: by.alarms.length }}
          onShow={setShow}
        />
      </div>
      <p class="muted small">
        <span role="status">{found(by[show].length, rows.length)}</span> · {own.all}{" "}
        <code>faderd fleet backup now</code>
      </p>
      <ScrolledList label={consoles} rows={by[show]} keyOf={({ id }) => id}>
        {(row) => (
          <ConsoleLine
            name={row.name}
            site={row.site}
            console={row.console}
            href={addressOf("backups", row.id)}
            lamp={row.alarm !== undefined ? "bad" : row.console === undefined ? "open" : "good"}
            word={row.newest === undefined ? own.noBackup : ageText(row.newest.time, ages)}
            text={row.newest === undefined ? row.failed : row.alarm ?? row.failed ??
              `${size(row.newest.bytes, texts().decimal)} · ${timeText(row.newest.time)}`}
          >
            <Button
              label={own.nowName(row.name)}
              icon="plus"
              isBare
              needs="admin"
              reason={reasonAt(row)}
              onPress={() => void onBackUp(row)}
            />
          </ConsoleLine>
        )}
      </ScrolledList>
    </>
  );
}
