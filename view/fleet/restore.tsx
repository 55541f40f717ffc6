/**
 * The steps that restore a backup of a console to a replacement; the page carries out one of them.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { Question } from "../parts/question.tsx";
import { timeText } from "../parts/time-text.ts";
import { fleetBackupsTexts } from "../texts/fleet-backups.ts";
import { textsOf } from "../texts/texts.ts";
import { restoreBackup } from "./backup-files.ts";
import type { KeptBackup } from "./backup-rows.ts";
import { type FleetConsole, isOnAir } from "./console.ts";
import { ConsoleOptions } from "./console-options.tsx";

/** The properties of the steps. */
export interface RestoreProps {
  readonly id: string;
  readonly name: string;
  /** At least one, the newest first. */
  readonly backups: readonly KeptBackup[];
  /** The consoles that may be its replacement. */
  readonly others: readonly FleetConsole[];
}

/** The steps. */
export function Restore({ id, name, backups, others }: RestoreProps) {
  const own = textsOf(fleetBackupsTexts);
  const [chosen, setChosen] = useState("");
  const other = others.find(({ _id }) => _id === chosen);
  const hub = new URL(".", document.baseURI).href.replace(/\/$/, "");
  return (
    <div class="card form">
      <h3>{own.restore}</h3>
      <ol class="fleet-steps">
        <li>{own.enrol}</li>
        <li>
          {own.choose}
          <RestoreForm
            id={id}
            name={name}
            backups={backups}
            others={others}
            other={other}
            onChoose={setChosen}
          />
        </li>
        <li>{own.remove(name, id)}</li>
      </ol>
      <p class="muted small">{own.byCommand}</p>
      <code class="fleet-code">
        {`faderd fleet backup get ${id} old.tgz --url ${hub} --token $TOKEN\n` +
          `faderd restore old.tgz --url ${hub}/consoles/${other?._id ?? "ID"} --token $TOKEN`}
      </code>
    </div>
  );
}

interface RestoreFormProps extends RestoreProps {
  /** The replacement; undefined until one is chosen. */
  readonly other: FleetConsole | undefined;
  readonly onChoose: (id: string) => void;
}

/** The choice of the backup and of the replacement, and the result. */
function RestoreForm({ id, name, backups, others, other, onChoose }: RestoreFormProps) {
  const own = textsOf(fleetBackupsTexts);
  const [time, setTime] = useState<string>();
  const [isAsked, setAsked] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [said, setSaid] = useState<{ readonly text: string; readonly isRefused?: boolean }>();
  const backup = backups.find((one) => one.time === time) ?? backups[0]!;
  const restore = async ({ _id, _name }: FleetConsole) => {
    setAsked(false);
    setBusy(true);
    setSaid({ text: own.loading });
    await restoreBackup(id, backup.content, _id).then(
      (tags) => setSaid({ text: own.applied(_name, tags.join(", ")) }),
      ({ message }) => setSaid({ text: message, isRefused: true }),
    );
    setBusy(false);
  };
  return (
    <>
      <div class="toolbar fleet-look">
        <label class="field">
          <span>{own.backup}</span>
          <select
            value={backup.time}
            onChange={({ currentTarget }) => setTime(currentTarget.value)}
          >
            {backups.map((one) => (
              <option key={one.time} value={one.time}>{timeText(one.time)}</option>
            ))}
          </select>
        </label>
        <label class="field">
          <span>{own.replacement}</span>
          <select
            value={other?._id ?? ""}
            onChange={({ currentTarget }) => onChoose(currentTarget.value)}
          >
            <option value="">{own.chooseOne}</option>
            <ConsoleOptions all={others} />
          </select>
        </label>
        <Button
          label={own.apply}
          icon="upload"
          kind="danger"
          needs="admin"
          reason={isBusy ? own.loading : other === undefined ? own.noneChosen : undefined}
          onPress={() => setAsked(true)}
        />
      </div>
      <p role="status" class={said?.isRefused ? "refusal" : ""}>{said?.text}</p>
      {isAsked && other !== undefined && (
        <Question
          title={own.applyTitle(other._name)}
          sentence={(isOnAir(other) ? own.onAir(other._name) : "") +
            own.applyQuestion(other._name, name, timeText(backup.time))}
          label={own.apply}
          onYes={() => restore(other)}
          onClose={() => setAsked(false)}
        />
      )}
    </>
  );
}
