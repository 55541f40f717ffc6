/**
 * Taking a backup.
 *
 * @module
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { Check } from "../../parts/check.tsx";
import { adminTexts } from "../../texts/admin.ts";
import { texts, textsOf } from "../../texts/texts.ts";
import { size } from "./amounts.ts";
import { type Backup, takeBackup } from "./files.ts";
import { TagTicks } from "./tags.tsx";

const ALL = "ALL";

/**
 * State of a backup: number of bytes received so far, the whole file, or the reason of a refusal.
 */
type Standing = number | Backup | Error | undefined;

/** The tags of a backup, and its progress. */
export function BackupCard() {
  const own = textsOf(adminTexts);
  const { decimal } = texts();
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set([ALL]));
  const [standing, setStanding] = useState<Standing>();
  const controller = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => controller.current?.abort(), []);
  const isEverything = ticked.has(ALL);
  const isUnderWay = typeof standing === "number";
  const take = () => {
    const { signal } = controller.current = new AbortController();
    setStanding(0);
    takeBackup([...ticked].join(), setStanding, signal)
      .then(setStanding, (fault) => setStanding(signal.aborted ? undefined : fault));
  };
  return (
    <section class="card form">
      <h2>{own.backup}</h2>
      <p class="muted small">{own.backupHint}</p>
      <Check
        label={own.everything}
        isOn={isEverything}
        onChange={(isOn) => setTicked(new Set(isOn ? [ALL] : []))}
      />
      {!isEverything && (
        <TagTicks
          legend={own.someParts}
          tags={Object.keys(own.tags)}
          ticked={ticked}
          onTick={setTicked}
        />
      )}
      <div class="toolbar">
        {isUnderWay
          ? <Button label={own.stop} icon="close" onPress={() => controller.current!.abort()} />
          : (
            <Button
              label={own.take}
              icon="download"
              kind="primary"
              needs="admin"
              reason={ticked.size === 0 ? own.nothingTicked : undefined}
              onPress={take}
            />
          )}
      </div>
      <p role="status">
        {isUnderWay && (
          <>
            <progress aria-label={own.backup} /> {own.received(size(standing, decimal))}
          </>
        )}
        {standing instanceof Error
          ? <span class="refusal">{standing.message}</span>
          : typeof standing === "object" && own.taken(standing.name, size(standing.bytes, decimal))}
      </p>
    </section>
  );
}
