/**
 * The parts of the console beside its mixers: labels, switches, pots, routes and selectors.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import { at } from "../../state/live.ts";
import { useSwitch } from "../../parts/use-switch.ts";
import { Button } from "../../parts/button.tsx";
import { consoleTexts } from "../../texts/console.ts";
import { textsOf } from "../../texts/texts.ts";
import { Label } from "./label.tsx";
import { NetworkClock, NetworkDevice, Stream } from "./network.tsx";
import { Pot } from "./pot.tsx";
import { Route, Selector } from "./routing.tsx";
import { SwitchingPort } from "./switching.tsx";
import { usePart } from "./use-part.ts";

/** The parts that show the numbers of the switching inputs and outputs, and the kind of device. */
const PORTS = { depth: 3, only: ["_label"] };
const DEVICE = { depth: 1, only: ["_temperature"] };

/** The page: a card for each kind of thing that this console has. */
export function ConsolePage() {
  const own = textsOf(consoleTexts);
  const pots = at("/audio/pots").value;
  const logics = at("/control/logics").value;
  const labels = at("/control/labels").value;
  const routing = at("/audio/routing").value;
  const selectors = at("/audio/selectors").value;
  const ports = usePart<Ports>("/control", PORTS);
  const { gpis, gpos } = ports ?? {};
  const device = usePart<General>("/general", DEVICE);
  const isNetworked = device?._temperature !== undefined;
  const kinds = [
    ports && { ...gpis, ...gpos },
    device,
    pots,
    logics,
    labels,
    routing?.outputs,
    selectors?.selectors,
  ];
  if (kinds.every((kind) => kind !== undefined && numbersOf(kind).length === 0)) {
    return <p class="muted">{own.nothing}</p>;
  }
  return (
    <div class="columns">
      <Section title={own.pots} items={pots} of={(id) => <Pot key={id} id={id} />} />
      <Section title={own.logics} items={logics} of={(id) => <Logic key={id} id={id} />} />
      <Section
        title={own.selectors}
        items={selectors?.selectors}
        of={(id) => <Selector key={id} id={id} />}
      />
      <Section
        title={own.routing}
        items={routing?.outputs}
        of={(id) => <Route key={id} output={id} />}
      />
      <Section
        title={own.gpis}
        items={gpis}
        of={(id) => <SwitchingPort key={id} kind="gpis" id={id} />}
      />
      <Section
        title={own.gpos}
        items={gpos}
        of={(id) => <SwitchingPort key={id} kind="gpos" id={id} />}
      />
      {isNetworked && (
        <>
          <Streams />
          <NetworkClock />
          <NetworkDevice />
        </>
      )}
      <Section title={own.labels} items={labels} of={(id) => <Label key={id} id={id} />}>
        <p class="muted small">{own.labelsHint}</p>
      </Section>
    </div>
  );
}

interface Ports {
  readonly gpis: object;
  readonly gpos: object;
}

interface General {
  readonly _temperature: number;
}

function Streams() {
  const streams = at("/streams").value;
  return (
    <Section
      title={textsOf(consoleTexts).streams}
      items={streams}
      of={(id) => <Stream key={id} id={id} />}
    />
  );
}

interface SectionProps {
  readonly title: string;
  /** The items of a kind, by number; without any there is no card. */
  readonly items: object | undefined;
  readonly of: (id: number) => ComponentChildren;
  readonly children?: ComponentChildren;
}

function Section({ title, items = {}, of, children }: SectionProps) {
  const numbers = numbersOf(items);
  if (numbers.length === 0) return null;
  return (
    <section class="card form" aria-label={title}>
      <h2>{title}</h2>
      {children}
      {numbers.map(of)}
    </section>
  );
}

function Logic({ id }: { readonly id: number }) {
  const logic = at(`/control/logics/${id}`).value;
  const own = textsOf(consoleTexts);
  const { isAsked, press } = useSwitch(`/control/logics/${id}/value`);
  if (logic === undefined) return null;
  const { value, _name, _path } = logic;
  return (
    <div class="logic line">
      <span class="space">
        {_name}
        {_path !== "" && <small>{_path}</small>}
      </span>
      <Button
        label={value ? own.on : own.off}
        needs="operate"
        isOn={value}
        class={isAsked ? "asked" : ""}
        onPress={press}
      >
        <span class="hidden">{_name}</span>
      </Button>
    </div>
  );
}

function numbersOf(items: object): number[] {
  return Object.keys(items).map(Number);
}
