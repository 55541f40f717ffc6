/**
 * The backups of one console, and the steps that restore one of them to a replacement.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { timeText } from "../parts/time-text.ts";
import { size } from "../pages/admin/amounts.ts";
import { notice } from "../state/notices.ts";
import { addressOf } from "../state/route.ts";
import { fleetBackupsTexts } from "../texts/fleet-backups.ts";
import { texts, textsOf } from "../texts/texts.ts";
import { BackLink } from "./back-link.tsx";
import { saveBackup } from "./backup-files.ts";
import { ageText } from "./age-text.ts";
import type { BackupRow } from "./backup-rows.ts";
import type { FleetConsole } from "./console.ts";
import { useHubAnswer } from "./hub-answer.ts";
import { Restore } from "./restore.tsx";

/** The properties of an opened console. */
export interface ConsoleBackupsProps {
  readonly id: string;
  /** Undefined if the hub does not know it. */
  readonly row: BackupRow | undefined;
  /** The format of ages. */
  readonly ages: Intl.RelativeTimeFormat;
  /** The consoles that may be its replacement. */
  readonly others: readonly FleetConsole[];
  /** The reason for which no backup can be made now. */
  readonly reason: string | undefined;
  readonly onBackUp: () => void;
}

/** The backups, the newest first. */
export function ConsoleBackups({ id, row, ages, others, reason, onBackUp }: ConsoleBackupsProps) {
  const own = textsOf(fleetBackupsTexts);
  const [{ result, refusal }, ask] = useHubAnswer("fleetbackuplist", { console: id });
  useEffect(ask, [row?.newest?.time]);
  const backups = result?.[0]?.backups.toReversed() ?? [];
  const [isLoading, setLoading] = useState(false);
  const name = row?.name ?? id;
  const wrong = refusal?.message ?? row?.alarm ?? row?.failed;
  const load = (content: string) => {
    setLoading(true);
    saveBackup(id, content).catch(({ message }) => notice(message)).then(() => setLoading(false));
  };
  return (
    <section class="fleet-opened form">
      <div class="toolbar">
        <BackLink href={addressOf("backups")} />
        <Button label={own.now} kind="primary" needs="admin" reason={reason} onPress={onBackUp} />
      </div>
      <h2>
        <bdi>{own.of(name)}</bdi>
      </h2>
      {wrong !== undefined && <p role="alert" class="refusal">{wrong}</p>}
      {backups.length > 0 && (
        <div class="table">
          <table>
            <thead>
              <tr>
                <th>{own.time}</th>
                <th>{own.age}</th>
                <th class="number">{own.size}</th>
                <td />
              </tr>
            </thead>
            <tbody>
              {backups.map(({ time, bytes, content }) => (
                <tr key={time}>
                  <td>{timeText(time)}</td>
                  <td>{ageText(time, ages)}</td>
                  <td class="number">{size(bytes, texts().decimal)}</td>
                  <td class="number">
                    <Button
                      label={own.get(timeText(time))}
                      icon="download"
                      isBare
                      needs="admin"
                      reason={isLoading ? own.loading : undefined}
                      onPress={() => load(content)}
                    />
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {backups.length > 0 && <Restore id={id} name={name} backups={backups} others={others} />}
    </section>
  );
}
