/**
 * Writes changed parameters for one consumer of Ember+, with their present values.
 *
 * @module
 */
import type { Steps } from "../../core/ports.ts";
import type { AnswersWorld } from "./answers.ts";
import { type Change, itemCount } from "./change.ts";
import { leafParameter } from "./parameter.ts";
import type { Updates } from "./updates.ts";
import {
  type Connected,
  createGlowMessage,
  dispositions,
  ELEMENTS_IN_A_STEP,
} from "./write-glow.ts";

/** Writes changes, and notes in `updates` how many items its lists have now; undefined for none. */
export type WriteChanges = (
  changes: readonly Change[],
  updates: Pick<Updates, "itemsOf" | "listen">,
) => Steps<Uint8Array | undefined>;

/** The description of a parameter whose value alone is sent. */
const UNCALLED = { identifier: "" };

/** Makes the writer of changes. */
export function createChangeWriter(
  { console, may, tree: treeNow }: Pick<AnswersWorld, "console" | "may" | "tree">,
): WriteChanges {
  return function* write(changes, updates) {
    const message = createGlowMessage();
    const tree = treeNow();
    const connected: Connected[] = [];
    let count = 0;
    for (const change of changes) {
      if (++count % ELEMENTS_IN_A_STEP === 0) yield;
      const { numbers, what } = change;
      if (what === "list") writeList(change);
      else if (what === "connection") {
        const target = numbers.at(-1)!;
        const matrix = tree.at(numbers.slice(0, -1));
        if (matrix?.kind !== "matrix") continue;
        const source = matrix.sourceOf(target);
        connected.push({ target, source, disposition: dispositions.tally });
      } else if (what === "node") {
        const element = tree.at(numbers);
        if (element?.kind === "node") message.element(numbers, element);
      } else if (what === "parameter") {
        const element = tree.at(numbers);
        if (element?.kind === "parameter") message.element(numbers, element);
        else message.value(numbers, "string", null);
      } else {
        // Finding the element by its numbers would take four times as long.
        const leaf = leafParameter({ state: console.state, may }, change.path, UNCALLED);
        message.value(numbers, leaf?.type ?? "string", leaf?.value() ?? null);
      }
    }
    if (connected.length > 0) {
      const { identifier } = tree.places.placeOf("Routing/matrix");
      message.connections(tree.places.pathOf("Routing/matrix"), identifier, connected);
    }
    return message.isEmpty ? undefined : message.bytes();

    function writeList({ key, numbers, path }: Change): void {
      const node = tree.at(numbers);
      if (node?.kind !== "node") return;
      for (const { number, element } of node.children()) {
        message.element([...numbers, number], element);
      }
      const items = itemCount(console.state, path);
      for (let gone = items; gone < updates.itemsOf(key); gone++) {
        message.goneNode([...numbers, gone + 1]);
      }
      updates.listen(key, items);
    }
  };
}
