/**
 * Compares a snapshot with another snapshot, or with the values in force.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import type { Ranges } from "../../../core/tree/leaf.ts";
import type { Branch } from "../../../core/tree/tree.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { type Names, wordsOf } from "../../parts/difference.ts";
import { at, onOpen, read } from "../../state/live.ts";
import { differenceTexts } from "../../texts/difference.ts";
import { mixerWords } from "../../texts/mixer-words.ts";
import { snapshotsTexts } from "../../texts/snapshots.ts";
import { texts, textsOf } from "../../texts/texts.ts";
import { comparison } from "./comparison.ts";
import type { Listed } from "./may.ts";
import { TargetField } from "./target-field.tsx";
import type { Target, TypeName } from "./targets.ts";
import { type Got, useSnapshot } from "./use-snapshot.ts";

/** The snapshots that can be compared. */
export interface CompareProps {
  readonly type: TypeName;
  /** The mixer under which they are listed. */
  readonly mixer: number;
  readonly list: readonly Listed[];
  readonly targets: readonly Target[];
  readonly onClose: () => void;
}

/** The value of the field that stands for the values in force, instead of the id of a snapshot. */
const IN_FORCE = "";

/** Maximum number of rows; further differences are only counted. */
const MOST_ROWS = 200;

/** Asks for two snapshots, and shows their differences. */
export function CompareDialog({ type, mixer, list, targets, onClose }: CompareProps) {
  const own = textsOf(snapshotsTexts);
  const [one, setOne] = useState(list[0]?.id ?? IN_FORCE);
  const [other, setOther] = useState(IN_FORCE);
  const [target, setTarget] = useState(
    targets.find(({ params }) => type === "mixer" && params.mixer === mixer) ?? targets[0],
  );
  if (target === undefined) return null;
  const isLive = one === IN_FORCE || other === IN_FORCE;
  const choice = (label: string, id: string, onChoose: (id: string) => void) => (
    <label class="field">
      <span>{label}</span>
      <select value={id} onChange={({ currentTarget: { value } }) => onChoose(value)}>
        <option value={IN_FORCE}>{own.inForce}</option>
        {list.map(({ id, name }) => <option key={id} value={id}>{name}</option>)}
      </select>
    </label>
  );
  return (
    <Dialog title={own.compareTitle} onClose={onClose}>
      <div class="compared">
        {choice("A", one, setOne)}
        {choice("B", other, setOther)}
      </div>
      {isLive && targets.length > 1 && (
        <TargetField
          targets={targets}
          target={target}
          label={own.inForceOf}
          onChoose={setTarget}
        />
      )}
      <Compared key={target.path} one={one} other={other} mixer={mixer} target={target} />
    </Dialog>
  );
}

interface ComparedProps {
  /** The ids of the snapshots, or {@link IN_FORCE}. */
  readonly one: string;
  readonly other: string;
  readonly mixer: number;
  readonly target: Target;
}

/** The table; it is live, because the console may change while one reads. */
function Compared({ one, other, mixer, target: { path, names } }: ComparedProps) {
  const own = textsOf(snapshotsTexts);
  const [ranges, setRanges] = useState<Ranges>();
  const first = useContent(one, mixer, path);
  const second = useContent(other, mixer, path);
  const refusal = first.refusal ?? second.refusal;
  useEffect(
    () =>
      onOpen(() =>
        void read(`/range${path}` as string).then((all) => all && setRanges(all as Ranges))
      ),
    [path],
  );
  if (refusal !== undefined) return <p role="alert" class="refusal">{refusal}</p>;
  if (first.content === undefined || second.content === undefined || ranges === undefined) {
    return <p class="muted">{texts().shell.loading}</p>;
  }
  const found = comparison(first.content, second.content, ranges);
  if (found.length === 0) return <p role="status">{own.alike}</p>;
  return <Table found={found} names={names} />;
}

/** The content of a snapshot, or the values in force; without content until they are known. */
function useContent(id: string, mixer: number, path: string): Partial<Got> {
  const isLive = id === IN_FORCE;
  const got = useSnapshot(isLive ? undefined : id, mixer);
  // The values in force are followed only if they are compared.
  const live = isLive ? at(path as string).value as Branch | undefined : undefined;
  return live === undefined ? got ?? {} : { content: live };
}

function Table(
  { found, names }: { readonly found: ReturnType<typeof comparison>; readonly names: Names },
) {
  const own = textsOf(snapshotsTexts);
  const words = textsOf(differenceTexts);
  const written = { decimal: texts().decimal, mixer: mixerWords() };
  return (
    <section class="difference-lines" aria-label={own.compareTitle} tabIndex={0}>
      <h3>{own.differ(found.length)}</h3>
      <table>
        <thead>
          <tr>
            <th scope="col">{own.value}</th>
            <th scope="col">A</th>
            <th scope="col">B</th>
          </tr>
        </thead>
        <tbody>
          {found.slice(0, MOST_ROWS).map((one) => {
            const { what, from, to } = wordsOf(one, written, words, names);
            return (
              <tr key={one.path.join("/")}>
                <th scope="row">
                  <bdi>{what}</bdi>
                </th>
                <td>
                  <bdi>{from}</bdi>
                </td>
                <td>
                  <bdi>{to}</bdi>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {found.length > MOST_ROWS && <p class="muted">{words.more(found.length - MOST_ROWS)}</p>}
    </section>
  );
}
