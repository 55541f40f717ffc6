/**
 * Lines of the audit trail, as people read them.
 *
 * @module
 */
import type { RpcResult } from "../../../client/client.ts";
import { levelText } from "../../parts/fader/scale.ts";
import { timeText } from "../../parts/time-text.ts";
import { auditTexts } from "../../texts/audit.ts";
import { texts, textsOf } from "../../texts/texts.ts";

/** Lines of the audit trail, the newest first. */
export type Lines = RpcResult<"getaudit">;

/** The properties of a table of lines. */
export interface AuditTableProps {
  readonly lines: Lines;
  /** The names of faders, by their paths. */
  readonly names: ReadonlyMap<string, string>;
}

/** The path of a fader, and what is below it. */
const FADER = /^(\/audio\/mixers\/\d+\/faders\/\d+)(.*)$/;

/** A row for each line. */
export function AuditTable({ lines, names }: AuditTableProps) {
  const own = textsOf(auditTexts);
  if (lines.length === 0) return <p role="status">{own.none}</p>;
  return (
    <div class="table" tabIndex={0} role="region" aria-label={own.title}>
      <table>
        <thead>
          <tr>
            <th scope="col">{own.time}</th>
            <th scope="col">{own.user}</th>
            <th scope="col">{own.call}</th>
            <th scope="col">{own.what}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line, index) => (
            <tr key={index}>
              <td>{timeText(line.at, "medium")}</td>
              <td>
                {line.user ?? <span class="muted">{own.nobody}</span>}
                <p class="muted small">{line.from}</p>
              </td>
              <td>{line.what}</td>
              <td>
                <What line={line} names={names} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What was changed, or refused and why. */
function What({ line, names }: {
  readonly line: Lines[number];
  readonly names: ReadonlyMap<string, string>;
}) {
  const own = textsOf(auditTexts);
  const { decimal } = texts();
  const { changes = [], more, target, refused, again, lost, durable } = line;
  const leafText = (path: string, value: unknown) =>
    path.endsWith("/fader") && typeof value === "number"
      ? levelText(value, decimal)
      : valueText(value);
  const pathText = (path: string) => {
    const [, fader = "", rest = path] = FADER.exec(path) ?? [];
    return [names.get(fader) ?? fader, rest.slice(1)].filter((part) => part !== "").join(", ");
  };
  const facts = [
    ...(more === undefined ? [] : [own.more(more)]),
    ...(again === undefined ? [] : [own.again(again)]),
    ...(lost === undefined ? [] : [own.lost(lost)]),
    ...(durable === undefined ? [] : [own.notStored]),
  ];
  return (
    <>
      {changes.map(({ path, before, after }) => (
        <p key={path}>
          <bdi>
            {own.change(pathText(path), leafText(path, before), leafText(path, after))}
          </bdi>
        </p>
      ))}
      {target !== undefined && (
        <p>
          <bdi>{typeof target === "string" ? pathText(target) : valueText(target)}</bdi>
        </p>
      )}
      {refused !== undefined && <p class="refusal">{refused.message}</p>}
      {facts.length > 0 && <p class="muted small">{facts.join(" · ")}</p>}
    </>
  );
}

/** A value, or the members of one: `name "Morning", type 2`. */
function valueText(value: unknown): string {
  if (value === undefined) return "–";
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return Object.entries(value).map(([name, inner]) => `${name} ${JSON.stringify(inner)}`).join(
    ", ",
  );
}
