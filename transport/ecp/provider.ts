/**
 * The provider of ECP: all clients, and their updates.
 *
 * @module
 */
import { changesConfiguration } from "../../core/backup/restored.ts";
import type { FaderAddress } from "../../core/tree/resources.ts";
import { type Branch, find, type Patch, type Path } from "../../core/tree/tree.ts";
import { type ByteProvider, type ByteProviderOptions, createByteClients } from "../byte-clients.ts";
import { type Client, openClient } from "./client.ts";

/** The highest numbers of a mixer and a fader that a block can name. */
const LAST_MIXER = 0x0f;
const LAST_FADER = 0xff;

/** Makes the provider of a console, without clients at first. */
export function createProvider(options: ByteProviderOptions): ByteProvider {
  const { console } = options;
  const clients = createByteClients<Client>(console);
  const world = { ...options, history: options.sessions.history, left: clients.remove };

  let tellsAll = false;
  let { logics } = console.state.configuration;
  const stopWatching = console.watch((event) => {
    if (changesConfiguration(event)) {
      // The values under a new configuration are told as if they had just changed, but only when
      // the logics follow its faders: before that, a red light would blink.
      tellsAll = true;
      queueMicrotask(() => {
        tellsAll = false;
        const { configuration, tree } = console.state;
        const there = new Set(configuration.logics.map(({ id }) => id));
        // A logic that is gone is read as off.
        for (const { id } of logics) if (!there.has(id)) tellLogic(id, false);
        logics = configuration.logics;
        tell(tree as Patch);
      });
    } else if (
      clients.size > 0 && !tellsAll && event.type === "treechanged" && event.ofMeters !== true
    ) {
      tell(event.patch);
    }
  });

  function tellLogic(number: number, isOn: boolean): void {
    for (const client of clients) client.tellLogic(number, isOn);
  }

  function tell(patch: Patch): void {
    for (const [number, isOn] of logicsIn(patch)) tellLogic(number, isOn);
    if (![...clients].some(({ hearsLevels }) => hearsLevels)) return;
    for (const address of fadersIn(patch)) {
      for (const client of clients) client.tellLevel(address);
    }
  }

  return {
    open: (socket, address) => clients.add(address, () => openClient(socket, address, world)),
    close() {
      stopWatching();
      clients.closeAll();
    },
  };
}

/** Returns the logics that a patch changes, and whether each is on then. */
function* logicsIn(patch: Patch): Generator<readonly [number, boolean]> {
  for (const [number, { value }] of members(patch, ["control", "logics"])) {
    if (typeof value === "boolean") yield [number, value];
  }
}

/** Returns the faders whose levels a patch changes. */
function* fadersIn(patch: Patch): Generator<FaderAddress> {
  for (const [mixer] of members(patch, MIXERS)) {
    for (const [number, { fader }] of members(patch, [...MIXERS, String(mixer), "faders"])) {
      const isNamed = mixer <= LAST_MIXER && number <= LAST_FADER;
      if (fader !== undefined && isNamed) yield { mixer, fader: number };
    }
  }
}

const MIXERS: Path = ["audio", "mixers"];

/** Returns the numbered members of a branch of a patch. */
function members(patch: Patch, path: Path): (readonly [number, Patch])[] {
  const branch = find(patch as unknown as Branch, path) ?? {};
  return Object.entries(branch).map(([number, member]) => [Number(number), member as Patch]);
}
