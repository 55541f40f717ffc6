/**
 * Something for each of some faders. It is a value: a change makes another, which shares with the one
 * before all but a block of faders, so that 512 fades that start together do not copy 512 faders each.
 *
 * @module
 */

/** A fader: its mixer and its number in it. */
export interface FaderAddress {
  readonly mixer: number;
  readonly fader: number;
}

/** What is known of some faders, at most one `Item` of each. */
export interface FaderMap<Item extends FaderAddress> {
  /** Of how many faders. */
  readonly size: number;
  /** By `blockOf`, then by the fader's number in its mixer. */
  readonly blocks: ReadonlyMap<number, ReadonlyMap<number, Item>>;
}

const FADERS_OF_BLOCK = 32;
/** More than the number of any fader. */
const FADERS_OF_MIXER = 65_536;

/** Of no fader. */
export const noFaders: FaderMap<never> = { size: 0, blocks: new Map() };

/** What is known of a fader. */
export function itemOf<Item extends FaderAddress>(
  { blocks }: FaderMap<Item>,
  address: FaderAddress,
): Item | undefined {
  return blocks.get(blockOf(address))?.get(address.fader);
}

/** What is known, fader by fader. */
export function* itemsOf<Item extends FaderAddress>({ blocks }: FaderMap<Item>): Generator<Item> {
  for (const block of blocks.values()) yield* block.values();
}

/** The map with an item; what it knew of that fader is gone. */
export function withItem<Item extends FaderAddress>(
  { size, blocks }: FaderMap<Item>,
  item: Item,
): FaderMap<Item> {
  const at = blockOf(item);
  const before = blocks.get(at);
  const block = new Map(before).set(item.fader, item);
  const added = block.size - (before?.size ?? 0);
  return { size: size + added, blocks: new Map(blocks).set(at, block) };
}

/**
 * The map with the items of the faders named as `change` answers them, without those for which it
 * answers none; what it does not know of is left out of account.
 */
export function changedItems<Item extends FaderAddress, Named extends FaderAddress>(
  { size, blocks }: FaderMap<Item>,
  named: Iterable<Named>,
  change: (item: Item, named: Named) => Item | undefined,
): FaderMap<Item> {
  const changed = new Map<number, Map<number, Item>>();
  let left = size;
  for (const one of named) {
    const at = blockOf(one);
    const block = changed.get(at) ?? blocks.get(at);
    const item = block?.get(one.fader);
    if (item === undefined) continue;
    const next = change(item, one);
    if (next === item) continue;
    let copy = changed.get(at);
    if (copy === undefined) changed.set(at, copy = new Map(block));
    if (next !== undefined) copy.set(one.fader, next);
    else if (copy.delete(one.fader)) left--;
  }
  if (changed.size === 0) return { size, blocks };
  const all = new Map<number, ReadonlyMap<number, Item>>(blocks);
  for (const [at, block] of changed) {
    if (block.size > 0) all.set(at, block);
    else all.delete(at);
  }
  return { size: left, blocks: all };
}

function blockOf({ mixer, fader }: FaderAddress): number {
  return Math.floor((mixer * FADERS_OF_MIXER + fader) / FADERS_OF_BLOCK);
}
