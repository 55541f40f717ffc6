/**
 * Restoring a backup: what the file holds is shown before anything of it is applied.
 *
 * @module
 */
import { useRef, useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { Facts } from "../../parts/facts.tsx";
import { FileButton } from "../../parts/file-button.tsx";
import { Question } from "../../parts/question.tsx";
import { texts } from "../../texts/texts.ts";
import { type Archive, readArchive } from "./archive.ts";
import { applyBackup } from "./files.ts";
import { tagText, TagTicks } from "./tags.tsx";
import { timeText } from "./time-text.ts";

/** A file that was chosen, and what it holds; undefined where that is not a backup. */
interface Chosen {
  readonly file: File;
  readonly archive: Archive | undefined;
}

/** The choice of a file. */
export function RestoreCard() {
  const own = texts().admin;
  const [chosen, setChosen] = useState<Chosen>();
  const latest = useRef<File>(undefined);
  const choose = async (file: File) => {
    latest.current = file;
    const archive = await readArchive(file.stream());
    // A small file is read before a large one that was chosen first.
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

/** How a restore stands: under way, done, refused. */
type Standing = "under way" | readonly string[] | Error | undefined;

function Contents({ file, archive }: { readonly file: File; readonly archive: Archive }) {
  const own = texts().admin;
  const { device, firmware, time, tags } = archive;
  const [ticked, setTicked] = useState<ReadonlySet<string>>(new Set(tags));
  const [standing, setStanding] = useState<Standing>();
  const [isAsked, setAsked] = useState(false);
  const apply = async () => {
    setAsked(false);
    setStanding("under way");
    await applyBackup(file, [...ticked]).then(setStanding, setStanding);
  };
  const notReady = standing === "under way"
    ? own.applying
    : ticked.size === 0
    ? own.nothingTicked
    : undefined;
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
      <TagTicks legend={own.holds} tags={tags} ticked={ticked} onTick={setTicked} />
      <p class="small">{own.overwritten} {ticked.has("TLS") && own.certificateGoes}</p>
      <p role="status">
        {standing === "under way" && own.applying}
        {standing instanceof Error && <span class="refusal">{standing.message}</span>}
        {Array.isArray(standing) && own.applied(standing.map(tagText).join(", "))}
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
