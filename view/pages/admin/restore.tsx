/**
 * Restoring a backup: the content of the file is shown before any of it is applied.
 *
 * @module
 */
import { useRef, useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { Facts } from "../../parts/facts.tsx";
import { FileButton } from "../../parts/file-button.tsx";
import { Question } from "../../parts/question.tsx";
import { at } from "../../state/live.ts";
import { adminTexts } from "../../texts/admin.ts";
import { textsOf } from "../../texts/texts.ts";
import { type Archive, readArchive } from "./archive.ts";
import { applyBackup, type Backup, takeBackup } from "./files.ts";
import { tagText, TagTicks } from "./tags.tsx";
import { timeText } from "../../parts/time-text.ts";

/** A chosen file, and its content; undefined if it is not a backup. */
interface Chosen {
  readonly file: File;
  readonly archive: Archive | undefined;
}

/** The choice of a file. */
export function RestoreCard() {
  const own = textsOf(adminTexts);
  const [chosen, setChosen] = useState<Chosen>();
  const latest = useRef<File>(undefined);
  const choose = async (file: File) => {
    latest.current = file;
    const archive = await readArchive(file.stream());
    // A small file may be read before a large file that was chosen first.
    if (file === latest.current) setChosen({ file, archive });
  };
  return (
    <section class="card form">
      <h2>{own.restore}</h2>
      <p class="muted small">{own.restoreHint}</p>
      <div class="toolbar">
        <FileButton
          label={own.choose}
          icon="upload"
          accept=".bin,.tgz"
          needs="admin"
          onChoose={choose}
        />
      </div>
      {chosen?.archive !== undefined && (
        <Contents key={chosen.file} file={chosen.file} archive={chosen.archive} />
      )}
      {chosen !== undefined && chosen.archive === undefined && (
        <p class="refusal" role="alert">{own.notArchive(chosen.file.name)}</p>
      )}
    </section>
  );
}

/**
 * The tag of the users: the users of another console are seldom meant, and lock out the users of
 * this console.
 */
const USERS = "USERS";

/** The result: the applied tags, and the backup of the content before. */
interface Done {
  readonly tags: readonly string[];
  readonly saved: Backup;
}

/**
 * Progress of a restore: undefined before it begins; `saving`: the present content is being backed
 * up; `applying`; then the result, or the error.
 */
type Standing = "saving" | "applying" | Done | Error | undefined;

function Contents({ file, archive }: { readonly file: File; readonly archive: Archive }) {
  const own = textsOf(adminTexts);
  const { device, firmware, time, tags } = archive;
  const isForeign = device !== undefined && device !== at("/general/_name").value;
  const [ticked, setTicked] = useState<ReadonlySet<string>>(
    new Set(isForeign ? tags.filter((tag) => tag !== USERS) : tags),
  );
  const [standing, setStanding] = useState<Standing>();
  const [isAsked, setAsked] = useState(false);
  const apply = async () => {
    setAsked(false);
    const wanted = [...ticked];
    try {
      setStanding("saving");
      const saved = await takeBackup(wanted.join(), () => {});
      setStanding("applying");
      setStanding({ tags: await applyBackup(file, wanted), saved });
    } catch (fault) {
      setStanding(fault as Error);
    }
  };
  const isUnderWay = standing === "saving" || standing === "applying";
  const notReady = isUnderWay ? own[standing] : ticked.size === 0 ? own.nothingTicked : undefined;
  return (
    <div class="form">
      <Facts
        facts={[
          [own.file, file.name],
          [own.from, device],
          [own.made, timeText(time)],
          [own.firmware, firmware],
        ]}
      />
      {isForeign && tags.includes(USERS) && (
        <p role="alert" class="refusal">{own.foreign(device)}</p>
      )}
      <TagTicks legend={own.holds} tags={tags} ticked={ticked} onTick={setTicked} />
      <p class="small">{own.overwritten} {ticked.has("TLS") && own.certificateGoes}</p>
      <p role="status">
        {isUnderWay && own[standing]}
        {standing instanceof Error && <span class="refusal">{standing.message}</span>}
        {isDone(standing) &&
          own.applied(standing.tags.map(tagText).join(", "), standing.saved.name)}
      </p>
      <Button
        label={own.apply}
        icon="upload"
        kind="danger"
        needs="admin"
        reason={notReady}
        onPress={() => setAsked(true)}
      />
      {isAsked && (
        <Question
          title={own.applyTitle(file.name)}
          sentence={own.applyQuestion([...ticked].map(tagText).join(", "))}
          label={own.apply}
          onYes={apply}
          onClose={() => setAsked(false)}
        />
      )}
    </div>
  );
}

function isDone(standing: Standing): standing is Done {
  return typeof standing === "object" && "saved" in standing;
}
