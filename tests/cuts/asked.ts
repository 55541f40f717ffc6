/**
 * The requests of clients to a console whose power is cut: changes of everything that is stored,
 * small and large, and the console's own changes.
 *
 * @module
 */
import { applyBackup } from "../../core/backup/restore-backup.ts";
import { readConfiguration } from "../../core/configuration/configuration.ts";
import type { Command } from "../../core/command.ts";
import type { Console } from "../../core/console.ts";
import { fadeToValue } from "../../core/fades/fadetovalue.ts";
import { setChannelLabel } from "../../core/labels/setchannellabel.ts";
import { withoutPauses } from "../../core/cooperative-scheduler.ts";
import { updatePicture } from "../../core/pictures/resource.ts";
import { loadSnapshot } from "../../core/snapshots/loadsnapshot.ts";
import { modifySnapshot } from "../../core/snapshots/modifysnapshot.ts";
import { removeSnapshot } from "../../core/snapshots/removesnapshot.ts";
import { saveSnapshot } from "../../core/snapshots/savesnapshot.ts";
import type { Snapshot } from "../../core/snapshots/snapshot.ts";
import { set } from "../../core/tree/set.ts";
import { addUser, removeUser } from "../../core/users/adduser.ts";
import { modifyUser } from "../../core/users/modifyuser.ts";
import { type Actor, DEVICE } from "../../core/users/user.ts";
import { setViewDocument } from "../../core/view-documents/setviewdocument.ts";
import type { Chance } from "../storage/random.ts";

const read = readConfiguration({
  // An answer then says whether its change is stored; "play" is in tests/property/degraded-mode.
  storage: { onFault: "refuse" },
  mixers: [{ faders: 2 }],
  resources: [{ id: 1 }, { id: 2 }],
  globalLabels: [{ id: 1, label: "Studio" }],
  limits: { writes: { perMinute: 0, bytesPerMinute: 0 } },
});
if ("faults" in read) throw new Error(JSON.stringify(read.faults));

/** The configuration of the console: small, so that a start takes little time. */
export const { configuration } = read;

/** An admin, who may do anything, once there is one. */
const ADMIN = "admin";

function admin({ state }: Console): Actor {
  const user = state.users.get(ADMIN);
  return user === undefined ? DEVICE : { user };
}

const rights = { writegroups: 255, readgroups: 0 };
const target = { mixer: 0, fader: 0, fp: 0 };

/** The snapshots that clients saved. */
function saved({ state }: Console): Snapshot[] {
  return [...state.snapshots.values()].filter(({ factory, number }) => !factory && number > 0);
}

/** Bytes of a picture, which are not checked here. Few pictures are larger than one write. */
function picture(chance: Chance): Uint8Array {
  const largest = chance.hits(0.1) ? 140_000 : chance.hits(0.2) ? 20_000 : 1500;
  const bytes = new Uint8Array(chance.between(60, largest));
  for (let at = 0; at < bytes.length; at += chance.between(1, 400)) bytes[at] = at;
  return bytes;
}

const text = (chance: Chance) => `${chance.between(0, 1e6)}`.repeat(chance.between(1, 3));

function someSnapshot(
  console: Console,
  chance: Chance,
  command: (id: string) => Command<unknown>,
): Command<unknown> {
  const snapshots = saved(console);
  const { id } = snapshots[chance.between(0, snapshots.length - 1)] ?? { id: "" };
  return snapshots.length === 0 ? saveSnapshot({ ...target, ...rights, type: 2, id }) : command(id);
}

/** Each request with its weight in the random choice. */
const commands: readonly [
  share: number,
  command: (console: Console, chance: Chance) => Command<unknown>,
][] = [
  [6, (_, chance) => set(`/audio/mixers/0/faders/${chance.between(0, 1)}/fader`, level(chance))],
  [5, (_, chance) => setChannelLabel(chance.between(1, 2), text(chance))],
  [2, (_, chance) => set("/control/labels/1/label", text(chance))],
  [2, (_, chance) => saveSnapshot({ ...target, ...rights, type: 2, id: "", name: text(chance) })],
  [
    2,
    (console, chance) =>
      someSnapshot(console, chance, (id) => modifySnapshot({ id, name: text(chance) })),
  ],
  [1, (console, chance) => someSnapshot(console, chance, (id) => loadSnapshot({ ...target, id }))],
  [2, (console, chance) => someSnapshot(console, chance, removeSnapshot)],
  [1, (_, chance) => addUser({ name: `user${chance.between(1, 4)}`, groups: 1, admin: false })],
  [1, (_, chance) => removeUser(`user${chance.between(1, 4)}`)],
  [
    1,
    (_, chance) => modifyUser({ name: ADMIN, groups: chance.between(1, 255), newtoken: false }),
  ],
  [
    2,
    (_, chance) => updatePicture(chance.between(1, 2), { bytes: picture(chance) }),
  ],
  [
    1,
    (_, chance) => {
      const document = chance.hits(0.8) ? { title: text(chance) } : null;
      return setViewDocument({ name: `page${chance.between(1, 2)}`, document });
    },
  ],
  [
    1,
    (_, chance) =>
      fadeToValue({ mixer: 0, fader: chance.between(0, 1), seconds: 1, value: level(chance) }),
  ],
];

function level(chance: Chance): number {
  return chance.between(-1600, 100) / 10;
}

const shares = commands.flatMap(([share, command]) => Array<typeof command>(share).fill(command));

/** Makes a random request; resolves with the answer, success or refusal. */
export async function ask(console: Console, chance: Chance): Promise<unknown> {
  if (!console.state.users.has(ADMIN)) {
    return await console.dispatch(addUser({ name: ADMIN, groups: 255, admin: true }), DEVICE);
  }
  if (chance.hits(0.02)) return await restoreSome(console, chance);
  const command = shares[chance.between(0, shares.length - 1)]!(console, chance);
  return await console.dispatch(command, admin(console));
}

/** Restores the present state with other names and settings, as a backup would. */
function restoreSome(console: Console, chance: Chance): Promise<unknown> {
  const snapshots = saved(console).map((one) => ({ ...one, name: text(chance) }));
  const contents = {
    settings: { LOG: { level: text(chance) } },
    snapshots: { MXSNAPS: snapshots },
    users: [...console.state.users.values()],
    viewDocuments: { page1: JSON.stringify({ title: text(chance) }) },
  };
  return applyBackup(console, contents, DEVICE, withoutPauses);
}
