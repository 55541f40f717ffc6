/**
 * One console of the fleet.
 *
 * @module
 */
import { Button } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { addressOf } from "../state/route.ts";
import { fleetTexts } from "../texts/fleet.ts";
import { textsOf } from "../texts/texts.ts";
import type { FleetConsole } from "./console.ts";
import { stateText } from "./console-line.tsx";
import { consoleAt } from "./hub.ts";

/** The properties of a row. */
export interface ConsoleRowProps {
  readonly id: string;
  /** The templates from which it differs. */
  readonly differsFrom: readonly string[];
  readonly onApprove: (console: FleetConsole) => void;
  readonly onRemove: (console: FleetConsole) => void;
}

/** Name, state, summary and operations of a console. */
export function ConsoleRow({ id, differsFrom, onApprove, onRemove }: ConsoleRowProps) {
  const own = textsOf(fleetTexts);
  const console = consoleAt(id).value;
  // It may be gone before the list is updated.
  if (console === undefined || console._state === "removed") return null;
  const { _name: name, _state: state, _alarms: alarms } = console;
  const sentences = alarms.join("\n");
  return (
    <div class={`fleet-row ${state}`}>
      <span class="lamp" />
      <div class="fleet-name">
        {state === "quarantined"
          ? (
            <bdi class="cut">
              <strong>{name}</strong>
            </bdi>
          )
          : (
            <a class="cut" href={`consoles/${id}/`} title={own.open(name)}>
              <bdi>{name}</bdi>
            </a>
          )}
        <span class="muted small cut">{stateText(console)}</span>
      </div>
      <Known console={console} differsFrom={differsFrom} />
      {alarms.length > 0
        ? (
          <p class="fleet-alarms line" title={sentences}>
            <Icon name="warning" />
            <span class="cut">
              {alarms.length === 1 ? alarms[0] : `${own.alarms(alarms.length)}: ${alarms[0]}`}
            </span>
          </p>
        )
        : <span class="fleet-alarms" />}
      {state === "quarantined"
        ? (
          <Button
            label={own.approve}
            name={`${own.approve} ${name}`}
            kind="primary"
            needs="admin"
            onPress={() => onApprove(console)}
          />
        )
        : <span />}
      <Button
        label={`${own.remove} ${name}`}
        icon="trash"
        isBare
        needs="admin"
        onPress={() => onRemove(console)}
      />
    </div>
  );
}

interface KnownProps extends Pick<ConsoleRowProps, "differsFrom"> {
  readonly console: FleetConsole;
}

/** The version, the templates from which the console differs, and its known state. */
function Known({ console: { _id, _version, general }, differsFrom }: KnownProps) {
  const own = textsOf(fleetTexts);
  const storages: Readonly<Record<string, string>> = own.storages;
  const engines: Readonly<Record<string, string>> = own.engines;
  const { _storage: storage, _engine: engine } = general ?? {};
  const facts = [
    ...(storage === undefined ? [] : [`${own.storage}: ${storages[storage] ?? storage}`]),
    ...(engine === undefined ? [] : [`${own.engine}: ${engines[engine] ?? engine}`]),
  ];
  return (
    <div class="fleet-known muted small">
      <span class="cut">
        {_version === "" ? "" : `faderd ${_version}`}
        {differsFrom.map((name, index) => (
          <>
            {index === 0 ? ` · ${own.titles.drift}: ` : ", "}
            <a href={addressOf("drift", "template", name, _id)}>{name}</a>
          </>
        ))}
      </span>
      <span class="cut">{facts.join(" · ")}</span>
    </div>
  );
}
