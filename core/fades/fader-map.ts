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

/** The map with each item as `change` answers it, and without those for which it answers none. */
export function changedItems<Item extends FaderAddress>(
  map: FaderMap<Item>,
  change: (item: Item) => Item | undefined,
): FaderMap<Item> {
  const blocks = new Map<number, Map<number, Item>>();
  let size = 0;
  for (const [at, before] of map.blocks) {
    const block = new Map<number, Item>();
    for (const [fader, item] of before) {
      const changed = change(item);
      if (changed !== undefined) block.set(fader, changed);
    }
    if (block.size > 0) blocks.set(at, block);
    size += block.size;
  }
  return { size, blocks };
}

/** One number for a fader, another for any other. */
export function faderNumber({ mixer, fader }: FaderAddress): number {
  return mixer * FADERS_OF_MIXER + fader;
}

function blockOf(address: FaderAddress): number {
  return Math.floor(faderNumber(address) / FADERS_OF_BLOCK);
}
