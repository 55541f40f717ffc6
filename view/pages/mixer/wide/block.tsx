/**
 * A block of the processing: its switch, and its settings.
 *
 * @module
 */
import type { Ranges } from "../../../../core/tree/leaf.ts";
import { at } from "../../../state/live.ts";
import { SetKey } from "../../../parts/set-key.tsx";
import { mixerWords } from "../../../texts/mixer-words.ts";
import { blockText } from "./block-text.ts";
import { membersOf } from "./ranges.ts";
import { Setting } from "./setting.tsx";

/** The properties of a block. */
export interface BlockProps {
  readonly path: string;
  readonly name: string;
  /** The ranges of all blocks. */
  readonly ranges: Ranges;
  /** Called with a typed number, and the name of its member. */
  readonly onTyped?: (member: string, value: number) => void;
}

/** Shows a block that this fader has. */
export function Block({ path, name, ranges, onTyped }: BlockProps) {
  const isActive = at(`${path}/_active`).value === true || name === "gain";
  const isOn = at(`${path}/on`).value;
  const values = at(path).value as Readonly<Record<string, unknown>> | undefined;
  const range = ranges[name];
  const text = mixerWords();
  const title = blockText(name);
  if (!isActive || range === undefined || values === undefined) return null;
  const hidden = name === "gain"
    ? [...values._hasagain === false ? ["again"] : [], ...values._hasp48 === false ? ["p48"] : []]
    : [];
  return (
    <section class={`block ${isOn === false ? "is-off" : ""}`} aria-label={title}>
      <header class="line">
        <h2>{title}</h2>
        <SetKey
          class="key on"
          path={`${path}/on`}
          label={text.members.on}
          name={text.onOf(title)}
          needs="configure"
        />
      </header>
      {membersOf(range as Ranges).filter((member) => !hidden.includes(member.name)).map((
        member,
      ) => (
        <Setting
          key={member.path}
          path={path + member.path}
          name={member.name}
          leaf={member.leaf}
          title={title}
          onTyped={onTyped && ((value) => onTyped(member.name, value))}
        />
      ))}
    </section>
  );
}
