/**
 * Lines of the audit trail in the words of the page.
 *
 * @module
 */
import type { RpcResult } from "../../../client/client.ts";
import type { NumberLeaf } from "../../../core/tree/leaf.ts";
import { type Leaf, parsePath } from "../../../core/tree/tree.ts";
import { wordsOf } from "../../parts/difference.ts";
import { auditTexts } from "../../texts/audit.ts";
import { differenceTexts } from "../../texts/difference.ts";
import { mixerWords } from "../../texts/mixer-words.ts";
import { texts, textsOf } from "../../texts/texts.ts";
import { leafPlaceOf, namesAt } from "../../undo/place.ts";
import type { Resources } from "../snapshots/targets.ts";

/** Lines of the audit trail, the newest first. */
export type Lines = RpcResult<"getaudit">;

/** A changed value as a line of the audit trail has it. */
type Change = NonNullable<Lines[number]["changes"]>[number];

/** Names a call; a call for which the page has no word keeps the name of its interface. */
export function callText(call: string): string {
  const calls: Readonly<Record<string, string>> = textsOf(auditTexts).calls;
  return Object.hasOwn(calls, call) ? calls[call]! : call;
}

/** Names the value of a path of the control tree; any other path stays as it is. */
export function pathText(path: string, resources: Resources | undefined): string {
  return isInTree(path) && resources !== undefined ? leafPlaceOf(parsePath(path), resources) : path;
}

/** Says whether a change is shown to people: changes that the console makes for itself are not. */
export function isToldOf({ path }: Change): boolean {
  return !isInTree(path) || !parsePath(path).at(-1)!.startsWith("_");
}

/** Writes a changed value: its name, and its values before and after. */
export function changeText({ path, before, after }: Change, resources: Resources | undefined) {
  const { change } = textsOf(auditTexts);
  const place = pathText(path, resources);
  if (!isInTree(path) || resources === undefined) {
    return change(place, valueText(before), valueText(after));
  }
  const [root, , , ...below] = parsePath(path);
  const { from, to } = wordsOf(
    {
      path: root === "audio" && below.length > 0 ? below : parsePath(path),
      from: before as Leaf | undefined,
      to: after as Leaf | undefined,
      leaf: leafOf([before, after]),
    },
    { decimal: texts().decimal, mixer: mixerWords() },
    textsOf(differenceTexts),
    namesAt(path, resources),
  );
  return change(place, from, to);
}

function isInTree(path: string): boolean {
  return path.startsWith("/audio/") || path.startsWith("/control/");
}

/** Steps of numbers, from which their digits follow. */
const STEPS = [1, 0.1] as const;

/** The trail has no ranges, so the number of digits follows from the numbers themselves. */
function leafOf(values: readonly unknown[]): NumberLeaf {
  const numbers = values.filter((value) => typeof value === "number");
  const isWhole = (step: number) =>
    numbers.every((value) => Number(value.toFixed(step === 1 ? 0 : 1)) === value);
  return { type: "number", default: 0, step: STEPS.find(isWhole) ?? 0.01 };
}

/** A value, or its members: `name "Morning", type 2`. */
export function valueText(value: unknown): string {
  if (value === undefined) return "–";
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  return Object.entries(value).map(([name, inner]) => `${name} ${JSON.stringify(inner)}`).join(
    ", ",
  );
}
