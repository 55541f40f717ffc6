/**
 * Makes handles: each call is one request of the protocol, or a few.
 *
 * @module
 */
import type { Client } from "./contract.ts";
import type { FaderHandle, Handles, ListHandle, MixerHandle, SnapshotHandle } from "./handles.ts";
import { RequestError } from "./request-error.ts";
import type { RpcParams } from "./rpcs.ts";

/** The part of a client that handles use. */
type Desk = Pick<Client, "get" | "set" | "rpc" | "watch" | "onEvent">;

/** The owner of snapshots: type 1 is the channel on a fader, 2 a mixer. */
type Place = Pick<RpcParams<"savesnapshot">, "type" | "mixer" | "fader">;

/** Makes the handles of a client. */
export function createHandles(desk: Desk): Handles {
  return {
    mixer: (mixer) => mixerHandle(desk, mixer),
    list: (list) => listHandle(desk, list),
  };
}

function mixerHandle(desk: Desk, mixer: number): MixerHandle {
  return {
    snapshots: snapshotHandle(desk, { type: 2, mixer }),
    fader: (fader) => faderHandle(desk, mixer, fader),
    watch: (options) => desk.watch(`/audio/mixers/${mixer}`, options),
  };
}

function faderHandle(desk: Desk, mixer: number, fader: number): FaderHandle {
  const path = `/audio/mixers/${mixer}/faders/${fader}` as const;
  return {
    snapshots: snapshotHandle(desk, { type: 1, mixer, fader }),
    level: () => desk.get(`${path}/fader`),
    set: (decibels) => desk.set(`${path}/fader`, decibels),
    async fadeTo(decibels, seconds) {
      await desk.rpc("fadetovalue", { mixer, fader, time: seconds, value: decibels });
    },
    on: (isOn) => desk.set(`${path}/on`, isOn),
    label: (text) => desk.set(`${path}/label`, text),
    watch: (options) => desk.watch(path, options),
  };
}

function snapshotHandle(desk: Desk, place: Place): SnapshotHandle {
  const { type, mixer } = place;

  const list = () => desk.rpc("getsnapshotlist", mixer === undefined ? { type } : { type, mixer });

  async function named(name: string) {
    const found = (await list()).filter((entry) => entry.name === name.normalize("NFC"));
    if (found.length < 2) return found[0];
    throw new RequestError(3, `name: ${found.length} snapshots are called "${name}"; use their id`);
  }

  return {
    list,
    async load(name) {
      const snapshot = await named(name);
      if (snapshot === undefined) {
        throw new RequestError(6, `name: there is no snapshot called "${name}"`);
      }
      await desk.rpc("loadsnapshot", { ...place, id: snapshot.id });
    },
    async save(name, groups) {
      const before = await named(name);
      // Without a group the console refuses it, and says why.
      const writegroups = before?.writegroups || (await desk.rpc("getuser", {})).groups || 1;
      const { id = "", readgroups = 0 } = before ?? {};
      await desk.rpc("savesnapshot", { ...place, id, name, writegroups, readgroups, ...groups });
    },
  };
}

function listHandle(desk: Desk, list: number): ListHandle {
  return {
    async fill(buttons, page) {
      await desk.rpc("registerextlist", { list });
      const entries = [...buttons];
      const select = page === undefined ? {} : { select: page };
      await desk.rpc("setextlist", { list, entries, ...select });
    },
    onButton: (listener) =>
      desk.onEvent(({ type, params }) => {
        if (type === "extlistnotified" && params.list === list) {
          listener(params.entry, params.on === 1);
        }
      }),
    async press(button, isOn) {
      await desk.rpc("pressextlist", { list, entry: button, on: isOn ? 1 : 0 });
    },
    watch: () => desk.watch(`/control/extlists/${list}`),
    async leave() {
      await desk.rpc("unregisterextlist", { list });
    },
  };
}
