/**
 * The whole control tree as nodes and parameters of Ember+, without `range`, which parameters have
 * themselves.
 *
 * @module
 */
import { find, isBranch, type Path, type Tree } from "../../core/tree/tree.ts";
import { type Element, nodeOf, type Numbered } from "./element.ts";
import { identifierOf, memberOf, numberOf } from "./numbers.ts";
import { leafParameter, type Seen } from "./parameter.ts";

const RANGE = "range";

/** Makes the element of a path of the control tree; undefined if the path does not exist. */
export function treeElement(
  seen: Seen,
  path: Path,
  called = { identifier: identifierOf(path.at(-1)!) },
): Element | undefined {
  const value = find(seen.state.tree, path);
  if (value === undefined) return undefined;
  if (typeof value !== "object") return leafParameter(seen, path, called);
  const description = nameOf(value);
  // The value may have changed by the time that its children are asked for.
  const now = () => find(seen.state.tree, path) as object | undefined ?? {};
  const isOffered = (member: string) => path.length > 0 || member !== RANGE;

  function* children(): Generator<Numbered> {
    for (const member of Object.keys(now())) {
      const number = numberOf(member);
      if (number === undefined || !isOffered(member)) continue;
      // The member may have been removed since the previous one was yielded.
      const element = treeElement(seen, [...path, member]);
      if (element !== undefined) yield { number, element };
    }
  }

  const node = nodeOf({ ...called, description }, children, (number) => {
    const member = memberOf(now(), number);
    return member !== undefined && isOffered(member)
      ? treeElement(seen, [...path, member])
      : undefined;
  });
  return { ...node, path };
}

/** Returns the name or the label of a resource. */
function nameOf(value: Tree): string | undefined {
  if (!isBranch(value)) return undefined;
  const name = value._name ?? value.label ?? value._label;
  return typeof name === "string" && name !== "" ? name : undefined;
}

/** Returns the numbers of a path of the control tree; undefined if a name has no number yet. */
export function treeNumbers(path: Path): readonly number[] | undefined {
  const numbers: number[] = [];
  for (const member of path) {
    const number = numberOf(member);
    if (number === undefined) return undefined;
    numbers.push(number);
  }
  return numbers;
}
