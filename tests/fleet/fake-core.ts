/**
 * A core of a hub that keeps everything in memory, for tests of the interfaces of a hub.
 *
 * @module
 */
import { type Refusal, refuse } from "../../core/errors.ts";
import type { Listener } from "../../transport/arrival.ts";
import type {
  ConsoleEntry,
  FleetActor,
  HubCore,
  ListedFleetUser,
} from "../../fleet/hub/hub-core.ts";
import type { FleetAuditEntry } from "../../fleet/ledger/ledger.ts";
import { type Person, rightAt } from "../../fleet/hub/rights.ts";
import type { StoredBatch, StoredBatches } from "../../fleet/batches/stored-batches.ts";
import type { Template, Templates } from "../../fleet/drift/templates.ts";
import type { Summary } from "../../fleet/wire.ts";
import { type FakeCommands, fakeCommands } from "./fake-commands.ts";

/** The token of the user `anna`, an admin. */
export const ADMIN_TOKEN = "aaaaaaaa-00000000-00000000-0000000f";
/** The token of the user `ben`, with the right to operate. */
export const USER_TOKEN = "bbbbbbbb-00000000-00000000-0000000f";

/** A message to a fake console, and its user. */
export interface Asked {
  readonly id: string;
  readonly as: Person | undefined;
  readonly message: {
    readonly msgID: number;
    readonly method: string;
    readonly path?: string;
    readonly payload?: unknown;
  };
}

/** A core of a hub whose consoles a test sets. */
export interface FakeCore extends HubCore {
  /** Puts a console into the picture, or removes it if `entry` is undefined. */
  put(id: string, entry: Omit<ConsoleEntry, "id"> | undefined): void;
  /** The messages to consoles, in order. */
  readonly asked: readonly Asked[];
  /** The answer of a console to a message; undefined for no answer. */
  answer: (asked: Asked) => object | undefined;
  readonly commands: FakeCommands;
  /** Closes all sessions on consoles. */
  cut(): void;
}

/** The id of a console by a number. */
export function idOf(number: number): string {
  return number.toString(16).padStart(32, "0");
}

/** An entry of a console. */
export function entry(
  name: string,
  summary: Partial<Summary> = {},
  state: ConsoleEntry["state"] = "live",
): Omit<ConsoleEntry, "id"> {
  const whole = {
    site: "",
    may: "operate",
    version: "1",
    tree: {},
    alarms: [],
    ...summary,
  } as const;
  return { state, since: Date.UTC(2026, 0, 1), summary: { ...whole, name } };
}

/** Templates that are forgotten. */
function fakeTemplates(): Templates {
  const templates = new Map<string, Template>();
  return {
    list: () => [...templates.values()],
    find: (name) => templates.get(name) ?? refuse("noSuchObject", "no such template"),
    save(template) {
      templates.set(template.name, template);
      return Promise.resolve(undefined);
    },
    remove(name) {
      return Promise.resolve(
        templates.delete(name) ? undefined : refuse("noSuchObject", "no such template"),
      );
    },
  };
}

/** Batches that are kept in memory. */
function fakeStoredBatches(): StoredBatches {
  const stored = new Map<string, StoredBatch>();
  return {
    find: (id) => stored.get(id),
    store: (batch) => Promise.resolve(void stored.set(batch.id, { ...batch, length: 0 })),
    forget: (id) => Promise.resolve(void stored.delete(id)),
  };
}

/** Makes a core with two users. */
export function fakeCore(anonymous: HubCore["anonymous"] = "none"): FakeCore {
  const consoles = new Map<string, ConsoleEntry>();
  const watchers = new Set<Parameters<HubCore["watch"]>[0]>();
  const userWatchers = new Set<() => void>();
  const sessions = new Set<Listener>();
  const asked: Asked[] = [];
  const trail: FleetAuditEntry[] = [];
  const created = "2026-01-01T00:00:00.000Z";
  const users = new Map<string, ListedFleetUser & { readonly token: string }>([
    ["anna", { name: "anna", may: "admin", created, token: ADMIN_TOKEN }],
    ["ben", { name: "ben", may: "operate", created, token: USER_TOKEN }],
  ]);

  function forAdmin({ user }: FleetActor): Refusal | undefined {
    return user?.may === "admin" ? undefined : refuse("noRight", "this is for admins");
  }

  function personOf({ name, may, rights }: Person): Person {
    return { name, may, ...(rights && { rights }) };
  }

  const core: FakeCore = {
    organisation: "Radio",
    boot: "1",
    anonymous,
    commands: fakeCommands(),
    templates: fakeTemplates(),
    storedBatches: fakeStoredBatches(),
    asked,
    answer: ({ message }) => ({ payload: message.payload }),
    put(id, given) {
      const known = given && { ...given, id };
      if (known === undefined) consoles.delete(id);
      else consoles.set(id, known);
      for (const watcher of watchers) watcher(id, known);
    },
    cut() {
      for (const session of sessions) session.closed();
      sessions.clear();
    },
    consoles: () => consoles,
    watch(listener) {
      watchers.add(listener);
      return () => watchers.delete(listener);
    },
    hold: () => () => {},
    session(id, as, _from, listener) {
      sessions.add(listener);
      return Promise.resolve({
        bufferedAmount: 0,
        close: () => void sessions.delete(listener),
        send(text: string) {
          const message = JSON.parse(text);
          const one = { id, as, message };
          asked.push(one);
          const answer = core.answer(one);
          if (answer === undefined) return;
          const { msgID, method } = message;
          listener.receive(JSON.stringify({ msgID, method, success: true, ...answer }));
        },
      });
    },
    fetch: () => Promise.resolve(new Response(null, { status: 503 })),
    authenticate(token) {
      const known = [...users.values()].find((user) => user.token === token);
      return known && personOf(known) ||
        refuse("notLoggedIn", "expected the token of a user", "token");
    },
    refresh({ name, may }) {
      const known = users.get(name);
      return known?.may === may && known ? personOf(known) : undefined;
    },
    mayAt(user, id) {
      const known = consoles.get(id);
      if (known === undefined) return undefined;
      if (user === undefined) return anonymous === "console" ? "view" : undefined;
      const now = core.refresh(user);
      return now && rightAt(now, id, known.summary.site);
    },
    watchUsers(listener) {
      userWatchers.add(listener);
      return () => userWatchers.delete(listener);
    },
    makeCode: (by) =>
      Promise.resolve(forAdmin(by) ?? { code: "1234-5678", expires: "2026-01-01T00:15:00.000Z" }),
    approve(id, by) {
      const refusal = forAdmin(by);
      const known = consoles.get(id);
      if (refusal === undefined && known !== undefined) core.put(id, { ...known, state: "live" });
      return Promise.resolve(refusal);
    },
    remove(id, by) {
      const refusal = forAdmin(by);
      if (refusal === undefined) core.put(id, undefined);
      return Promise.resolve(refusal);
    },
    users: (by) => forAdmin(by) ?? [...users.values()],
    hubs: (by) =>
      forAdmin(by) ?? [
        {
          ...{ id: "1", here: true, consoles: consoles.size, name: "hub-a", version: "1.2.3" },
          ...{ since: created, stores: true },
        },
        {
          ...{ id: "2", here: false, consoles: 0, name: "hub-b", version: "1.2.2" },
          ...{ since: created, stores: false },
        },
        { id: "0123456789", here: false, consoles: 1 },
      ],
    addUser({ name, may, rights }, by) {
      const refusal = forAdmin(by);
      if (refusal !== undefined) return Promise.resolve(refusal);
      const token = `cccccccc-00000000-00000000-0000000${users.size}`;
      users.set(name, { name, may, rights, created, token });
      return Promise.resolve({ token });
    },
    modifyUser({ name, may, rights }, by) {
      const refusal = forAdmin(by);
      const known = users.get(name);
      if (refusal === undefined && known !== undefined) {
        users.set(name, { ...known, may, rights });
        for (const watcher of userWatchers) watcher();
      }
      return Promise.resolve(refusal);
    },
    removeUser(name, by) {
      const refusal = forAdmin(by);
      if (refusal === undefined) {
        users.delete(name);
        for (const watcher of userWatchers) watcher();
      }
      return Promise.resolve(refusal);
    },
    audit: (most, by) => Promise.resolve(forAdmin(by) ?? trail.toReversed().slice(0, most)),
    tell: (told) => void trail.push({ time: created, ...told }),
  };
  return core;
}
