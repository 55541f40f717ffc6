/**
 * The items of a kind that the console has, for an own page, and their targets.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import { onOpen } from "../../state/live.ts";
import type { Target } from "../snapshots/targets.ts";
import { type Choice, type Option, optionsOf, targetsFor } from "./options.ts";

/** The items of a kind that the console has, and their targets. */
interface Offered {
  readonly kind: Choice;
  readonly options: readonly Option[];
  readonly targets: readonly Target[] | undefined;
}

/**
 * Asks for the items of a kind and for the targets of its snapshots, and again after each loss of
 * the connection. `options` and `targets` are undefined until the console has answered; `targets`
 * stays undefined for a kind without targets. The chosen target stays while the console has it;
 * otherwise the first one is chosen.
 */
export function useOffered(kind: Choice) {
  const [offered, setOffered] = useState<Offered>();
  const [target, setTarget] = useState<Target>();
  useEffect(() => {
    let isOver = false;
    const end = onOpen(async () => {
      const found = kind === "text" ? [] : await optionsOf(kind);
      const targets = await targetsFor(kind);
      if (isOver) return;
      // There are no targets, either, if the connection was lost again: the chosen one stays.
      setTarget((now) =>
        targets?.length === 0
          ? now
          : targets?.find(({ path }) => path === now?.path) ?? targets?.[0]
      );
      // Items without a target are not offered.
      setOffered({ kind, options: targets?.length === 0 ? [] : found, targets });
    });
    return () => {
      isOver = true;
      end();
    };
  }, [kind]);
  // An item of another kind does not belong to this kind, even if it has the same name.
  const { options, targets } = offered?.kind === kind ? offered : {};
  return { options, targets, target, setTarget };
}
