/**
 * One console on the page Drift: its sections, each of which is read on request.
 *
 * @module
 */
import { useState } from "preact/hooks";
import type { FleetRpcResult } from "../../fleet/api/rpc-methods.ts";
import { Button } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { addressOf } from "../state/route.ts";
import { fleetDriftTexts } from "../texts/fleet-drift.ts";
import { textsOf } from "../texts/texts.ts";
import { BackLink } from "./back-link.tsx";
import { type Compared, partsOf, type Section, type Told } from "./compared.ts";
import { stateText } from "./console-line.tsx";
import { consoleAt, hubRpc } from "./hub.ts";

/** The properties of an opened console. */
export interface DriftConsoleProps {
  readonly id: string;
  readonly other: Compared;
  /** The sections of the template; undefined for all. */
  readonly sections: readonly Section[] | undefined;
  readonly told: Told | undefined;
}

/** The console and its sections. */
export function DriftConsole({ id, other, sections, told }: DriftConsoleProps) {
  const own = textsOf(fleetDriftTexts);
  const console = consoleAt(id).value;
  const isThere = console !== undefined && console._state !== "removed" && told !== undefined;
  return (
    <section class="fleet-opened form">
      <div class="toolbar">
        <BackLink href={addressOf("drift", ...partsOf(other))} />
      </div>
      {!isThere ? <p role="status">{own.gone}</p> : (
        <>
          <h2>
            <bdi>{own.opened(console._name)}</bdi>
          </h2>
          <p class="muted small">{stateText(console)}. {own.hint}</p>
          <ul class="list">
            {(sections ?? Object.keys(own.sections) as Section[]).map((section) => {
              const standing = told.differs.includes(section)
                ? "differs"
                : told.unknown.includes(section)
                ? "unknown"
                : "same";
              return (
                <SectionDrift
                  // Differences that were read are outdated once the digests are the same.
                  key={`${section} ${standing === "same"}`}
                  section={section}
                  console={console._name}
                  id={id}
                  other={other}
                  standing={standing}
                />
              );
            })}
          </ul>
        </>
      )}
    </section>
  );
}

type Diff = FleetRpcResult<"fleetdiff">;

/** The differences of a section, and the requests that would make some of its values equal. */
type Found = Pick<Diff["sections"][number], "differences" | "more"> & Pick<Diff, "sets">;

/** The result of reading a section: its differences, or the reason of a refusal. */
interface Answered {
  readonly found?: Found;
  readonly refused?: string;
}

/** The state of the reading of a section; undefined until it is requested. */
type Read = undefined | "reading" | Answered;

interface SectionDriftProps {
  readonly section: Section;
  readonly console: string;
  readonly id: string;
  readonly other: Compared;
  readonly standing: "same" | "differs" | "unknown";
}

/** A section, and its differences once it has been read. */
function SectionDrift({ section, console, id, other, standing }: SectionDriftProps) {
  const own = textsOf(fleetDriftTexts);
  const [read, setRead] = useState<Read>();
  const isReading = read === "reading";
  const { refused, found }: Answered = read === undefined || isReading ? {} : read;
  const title = own.sections[section];
  const ask = () => {
    setRead("reading");
    hubRpc("fleetdiff", { console: id, with: other, section }).then(
      ({ sections: [found], sets }) =>
        setRead(found!.refused === undefined ? { found: { ...found!, sets } } : found!),
      ({ message }) => setRead({ refused: message }),
    );
  };
  return (
    <li>
      <div class="line fleet-section">
        <strong>{title}</strong>
        <span class={standing === "same" ? "muted" : "fleet-bad"}>{own.standings[standing]}</span>
        <span class="space" />
        {standing !== "same" && (
          <Button
            label={own.read}
            name={own.readName(title)}
            reason={isReading ? own.reading : undefined}
            onPress={ask}
          />
        )}
      </div>
      <p role="status" class={refused === undefined ? "small" : "refusal"}>
        {isReading ? own.reading : refused}
        {found && own.differing(found.differences.length + found.more)}
      </p>
      {found !== undefined && found.differences.length > 0 && (
        <Differences id={id} console={console} other={other} found={found} />
      )}
    </li>
  );
}

interface DifferencesProps {
  readonly id: string;
  readonly console: string;
  readonly other: Compared;
  readonly found: Found;
}

/** The differing paths with both values, and links to the page Do where it can make them equal. */
function Differences(
  { id, console, other, found: { differences, more, sets } }: DifferencesProps,
) {
  const own = textsOf(fleetDriftTexts);
  const compared = "template" in other
    ? own.template(other.template)
    : consoleAt(other.console).value?._name ?? "";
  return (
    <div class="table fleet-differences">
      <table>
        <thead>
          <tr>
            <th>{own.path}</th>
            <th>
              <bdi>{console}</bdi>
            </th>
            <th>
              <bdi>{compared}</bdi>
            </th>
            <td />
          </tr>
        </thead>
        <tbody>
          {differences.map(({ path, here, there }) => {
            // It has the whole value, of which the difference may show the beginning.
            const set = sets.find((one) => one.path === path);
            return (
              <tr key={path}>
                <td>{path}</td>
                <td>
                  <bdi>{valueText(here)}</bdi>
                </td>
                <td>
                  <bdi>{valueText(there)}</bdi>
                </td>
                <td>
                  {set !== undefined && (
                    <a
                      class="button bare"
                      href={addressOf("do", id, path, JSON.stringify(set.payload))}
                      aria-label={own.take(path)}
                      title={own.take(path)}
                    >
                      <Icon name="right" />
                    </a>
                  )}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {more > 0 && <p class="muted">{own.more(more)}</p>}
    </div>
  );
}

function valueText(value: unknown): string {
  return value === undefined ? "–" : JSON.stringify(value);
}
