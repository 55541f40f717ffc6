/**
 * An item of an own page.
 *
 * @module
 */
import type { ComponentChildren } from "preact";
import type { MeterBoard } from "../../parts/meters/board.ts";
import { SetKey } from "../../parts/set-key.tsx";
import { at } from "../../state/live.ts";
import { addressOf, isKiosk } from "../../state/route.ts";
import { listsTexts } from "../../texts/lists.ts";
import { ownTexts } from "../../texts/own.ts";
import { mixerWords } from "../../texts/mixer-words.ts";
import { texts, textsOf } from "../../texts/texts.ts";
import { ListButtons } from "../lists/lists.tsx";
import { groupNames, titleOf } from "../mixer/groups/names.ts";
import { Strip } from "../mixer/strip.tsx";
import { keyOf } from "./item-text.ts";
import { LevelItem, LoudnessItem } from "./meter-item.tsx";
import { Missing } from "./missing.tsx";
import type { Item, ItemOf, Unread } from "./own-page.ts";
import { SnapshotItem } from "./snapshot-item.tsx";
import { useExists } from "./use-exists.ts";

/** The properties of an item. */
export interface ItemProps {
  readonly item: Item | Unread;
  readonly board: MeterBoard | undefined;
}

/**
 * A working item; a sentence if the console has no such resource, or if the item cannot be read.
 */
export function ItemView({ item, board }: ItemProps) {
  switch (item.kind) {
    case "strip":
      return (
        <Existing item={item} path={`/audio/mixers/${item.mixer}/faders/${item.fader}`}>
          <StripItem item={item} board={board} />
        </Existing>
      );
    case "key":
      return (
        <Existing item={item} path={item.path}>
          <KeyItem item={item} />
        </Existing>
      );
    case "list":
      return (
        <Existing item={item} path={`/control/extlists/${item.list}`}>
          <ListItem item={item} />
        </Existing>
      );
    case "meter":
      return (
        <Existing item={item} path={`/audio/${item.of}/${item.id}`}>
          {item.of === "levels"
            ? <LevelItem id={item.id} board={board} />
            : <LoudnessItem id={item.id} />}
        </Existing>
      );
    case "snapshot":
      return <SnapshotItem item={item} />;
    case "channelsnapshot":
      return (
        <Existing item={item} path={`/audio/mixers/${item.mixer}/faders/${item.fader}`}>
          <SnapshotItem item={item} />
        </Existing>
      );
    case "processingsnapshot":
      return (
        <Existing item={item} path={`/audio/flexprocessings/${item.fp}`}>
          <SnapshotItem item={item} />
        </Existing>
      );
    case "text":
      return (
        <h2 class="own-text">
          <bdi>{item.text}</bdi>
        </h2>
      );
    case "unread":
      return <p class="own-missing muted">{textsOf(ownTexts).unread}</p>;
  }
}

interface ExistingProps {
  readonly item: Item;
  readonly path: string;
  readonly children: ComponentChildren;
}

/** Shows the resource at a path, once it is known to exist. */
function Existing({ item, path, children }: ExistingProps) {
  const exists = useExists(path);
  if (exists === undefined) return <p class="own-missing muted">{texts().shell.loading}</p>;
  return exists ? <>{children}</> : <Missing item={item} />;
}

/**
 * A strip. Opening it shows its wide strip on the page of the mixer, except in a kiosk, which stays
 * on its page.
 */
function StripItem(
  { item: { mixer, fader }, board }: {
    readonly item: ItemOf<"strip">;
    readonly board: MeterBoard | undefined;
  },
) {
  const open = isKiosk.value
    ? undefined
    : () => void (location.hash = addressOf("mixer", mixer, fader));
  return (
    <div class="own-strip">
      <Strip mixer={mixer} fader={fader} tabIndex={0} board={board} isOpen={false} onOpen={open} />
    </div>
  );
}

function KeyItem({ item: { path } }: { readonly item: ItemOf<"key"> }) {
  const { mixer, fader, group, logic, key } = keyOf(path);
  const common = { path, needs: "operate" } as const;
  if (logic !== undefined) return <LogicKey {...common} logic={logic} />;
  if (group !== undefined) {
    const name = titleOf(groupNames(), { mixer: mixer!, kind: "mutegroups", id: group });
    return <SetKey {...common} class="own-key mute" label={name} />;
  }
  return <FaderKey {...common} mixer={mixer!} fader={fader!} member={key!} />;
}

interface KeyProps {
  readonly path: string;
  readonly needs: "operate";
}

function LogicKey({ logic, ...key }: KeyProps & { readonly logic: number }) {
  const name = at(`/control/logics/${logic}/_name`).value ?? "";
  return <SetKey {...key} class="own-key" label={name} />;
}

interface FaderKeyProps extends KeyProps {
  readonly mixer: number;
  readonly fader: number;
  readonly member: "on" | "pfl1" | "pfl2";
}

function FaderKey({ mixer, fader, member, ...key }: FaderKeyProps) {
  const text = mixerWords();
  const label = at(`/audio/mixers/${mixer}/faders/${fader}/label`).value || `${fader + 1}`;
  const look = member === "on" ? "own-key on" : "own-key pfl";
  return <SetKey {...key} class={look} label={`${label} · ${text.members[member]}`} />;
}

function ListItem({ item: { list } }: { readonly item: ItemOf<"list"> }) {
  const own = textsOf(listsTexts);
  const found = at(`/control/extlists/${list}`).value;
  if (found === undefined) return <p class="own-missing muted">{texts().shell.loading}</p>;
  const { _name, _exists, _entries, _page } = found;
  return (
    <section class="own-list" aria-label={_name}>
      {!_exists || _entries.length === 0
        ? <p class="muted lists-empty">{_exists ? own.empty(_name) : own.absent(_name)}</p>
        : <ListButtons list={list} name={_name} entries={_entries} page={_page} />}
    </section>
  );
}
