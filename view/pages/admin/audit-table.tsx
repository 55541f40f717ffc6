/**
 * Lines of the audit trail, as people read them.
 *
 * @module
 */
import { timeText } from "../../parts/time-text.ts";
import { auditTexts } from "../../texts/audit.ts";
import { textsOf } from "../../texts/texts.ts";
import type { Resources } from "../snapshots/targets.ts";
import { callText, changeText, isToldOf, type Lines, pathText, valueText } from "./audit-words.ts";

/** The properties of a table of lines. */
export interface AuditTableProps {
  readonly lines: Lines;
  /** The names of the paths; undefined until they were read. */
  readonly resources: Resources | undefined;
}

/** A row for each line. */
export function AuditTable({ lines, resources }: AuditTableProps) {
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
              <td>
                {callText(line.what)}
                <p class="muted small">
                  <bdi>{line.subject}</bdi>
                </p>
              </td>
              <td>
                <What line={line} resources={resources} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** The changes, or the refusal and its reason. */
function What({ line, resources }: {
  readonly line: Lines[number];
  readonly resources: Resources | undefined;
}) {
  const own = textsOf(auditTexts);
  const { changes = [], more, target, refused, again, lost, durable } = line;
  const facts = [
    ...(more === undefined ? [] : [own.more(more)]),
    ...(again === undefined ? [] : [own.again(again)]),
    ...(lost === undefined ? [] : [own.lost(lost)]),
    ...(durable === undefined ? [] : [own.notStored]),
  ];
  return (
    <>
      {changes.filter(isToldOf).map((change) => (
        <p key={change.path}>
          <bdi>{changeText(change, resources)}</bdi>
        </p>
      ))}
      {target !== undefined && (
        <p>
          <bdi>{typeof target === "string" ? pathText(target, resources) : valueText(target)}</bdi>
        </p>
      )}
      {refused !== undefined && <p class="refusal">{refused.message}</p>}
      {facts.length > 0 && <p class="muted small">{facts.join(" · ")}</p>}
    </>
  );
}
