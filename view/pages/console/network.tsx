/**
 * The additional parts of a device for audio over IP (AES67): its streams, its clock and its
 * capabilities.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import { isLeafDefinition, type LeafDefinition, type Ranges } from "../../../core/tree/leaf.ts";
import { Facts } from "../../parts/facts.tsx";
import { SetKey } from "../../parts/set-key.tsx";
import { SetSelect } from "../../parts/set-select.tsx";
import { at, onOpen, read } from "../../state/live.ts";
import { consoleTexts } from "../../texts/console.ts";
import { mixerWords } from "../../texts/mixer-words.ts";
import { texts, textsOf } from "../../texts/texts.ts";
import { TextField } from "./text-field.tsx";

const PTP = "/general/ptp";

/** Maximum length of a number that is typed, in characters. */
const NUMBER_LENGTH = 8;

/** A stream: its name, its channels, the state that the device reports, and its switch. */
export function Stream({ id }: { readonly id: number }) {
  const stream = at(`/streams/${id}`).value;
  const text = mixerWords();
  if (stream === undefined) return null;
  const { _name, _channels, _state } = stream;
  const about = textsOf(consoleTexts).stream(_channels, _state);
  return (
    <div class="stream line">
      <span class="space">
        {_name}
        <small>{about}</small>
      </span>
      <SetKey
        class="key on"
        path={`/streams/${id}/on`}
        label={text.members.on}
        name={text.onOf(_name)}
        needs="configure"
      />
    </div>
  );
}

/** The clock of the network: each member by its type and range. */
export function NetworkClock() {
  const [ranges, setRanges] = useState<Ranges>();
  const own = textsOf(consoleTexts);
  const offset = at(`${PTP}/state/_clockoffset`).value;
  useEffect(
    () =>
      onOpen(() =>
        void read(`/range${PTP}` as string).then((all) => all && setRanges(all as Ranges))
      ),
    [],
  );
  return (
    <section class="card form" aria-label={own.clock}>
      <h2>{own.clock}</h2>
      <Facts facts={[[own.offset, offset === undefined ? undefined : `${offset} ns`]]} />
      {Object.entries(ranges ?? {}).map(([name, leaf]) =>
        isLeafDefinition(leaf) && <Member key={name} name={name} leaf={leaf} />
      )}
    </section>
  );
}

function Member({ name, leaf }: { readonly name: string; readonly leaf: LeafDefinition }) {
  const { clockMembers } = textsOf(consoleTexts);
  const label = clockMembers[name as keyof typeof clockMembers] ?? name;
  const common = { path: `${PTP}/${name}`, label, needs: "configure" } as const;
  if (leaf.type === "boolean") return <SetKey {...common} />;
  if (leaf.type === "string") {
    const options = (leaf.values ?? []).map((value) => [value, value] as const);
    return <SetSelect {...common} class="field" options={options} />;
  }
  const { min, max, unit = "" } = leaf;
  return (
    <TextField
      {...common}
      label={`${label} (${mixerWords().expected(min!, max!, unit).trim()})`}
      maxLength={NUMBER_LENGTH}
      valueIn={(text) => /^-?\d+$/.test(text.trim()) ? Number(text) : undefined}
    />
  );
}

/** Temperature, load and capabilities of the device. */
export function NetworkDevice() {
  const own = textsOf(consoleTexts);
  const { decimal } = texts();
  const degrees = at("/general/_temperature").value;
  const can = at("/general/capabilities").value;
  return (
    <section class="card form" aria-label={own.device}>
      <h2>{own.device}</h2>
      <Facts
        facts={[
          [own.temperature, degrees === undefined ? undefined : `${decimal(degrees, 1)} °C`],
          [own.maxReceived, can?._maxrxstreams],
          [own.maxSent, can?._maxtxstreams],
          [own.loadReceived, can?._rxload],
          [own.loadSent, can?._txload],
          [own.extended, can && own.yesNo(can._extendedfeature)],
          [own.limited, can && own.yesNo(can._limited16x16)],
        ]}
      />
    </section>
  );
}
