/**
 * The users of the fleet. A hub keeps only the hash of a token.
 *
 * @module
 */
import { createListeners } from "../../client/listeners.ts";
import { type Refusal, refuse } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import type { Clock, Random } from "../../core/ports.ts";
import { shown } from "../../core/shown.ts";
import { USER_NAME, USER_NAME_FORM } from "../../core/users/adduser.ts";
import { hashToken, isToken, makeToken } from "../../core/users/token.ts";
import { followBucket } from "../ledger/followed-bucket.ts";
import type { ListedFleetUser } from "./hub-core.ts";
import { FLEET_USERS, RIGHTS_OF_USER, SITE_CHARACTERS } from "./hub-limits.ts";
import { isLedgerError, type Ledger } from "../ledger/ledger.ts";
import { storeRefusal, unavailable } from "../ledger/unavailable.ts";
import type { FleetRight, Person } from "./rights.ts";
import { createTurns } from "./turns.ts";
import { FLEET_ID, FLEET_MAY, type FleetMay } from "../wire.ts";

/** A user as the ledger keeps it. */
interface KeptUser extends ListedFleetUser {
  readonly tokenHash: string;
}

/** The users of the fleet. */
export interface People {
  readonly count: number;
  list(): readonly ListedFleetUser[];
  /** Returns the user of a token; undefined for a wrong token. */
  ofToken(token: unknown): Person | undefined;
  /**
   * Returns the present entry of a user; undefined if it was removed, even if another user has its
   * name since.
   */
  refresh(user: Person): Person | undefined;
  /** Says whether the ledger has a user as this hub knows it; rejects if it does not answer. */
  isCurrent(name: string): Promise<boolean>;
  add(user: Person): Promise<{ readonly token: string } | Refusal>;
  /** Replaces all rights of a user; the token stays. */
  modify(user: Person): Promise<Refusal | undefined>;
  remove(name: string): Promise<Refusal | undefined>;
  watch(listener: () => void): () => void;
}

/** Follows the users in a ledger. */
export async function followPeople(
  ledger: Ledger,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): Promise<People> {
  const listeners = createListeners<void>();
  const byHash = new Map<string, KeptUser>();
  const users = await followBucket(ledger, "users", readUser, (name, before) => {
    if (before !== undefined) byHash.delete(before.tokenHash);
    index(users.values.get(name));
    listeners.tell();
  });
  for (const user of users.values.values()) index(user);

  function index(user: KeptUser | undefined): void {
    if (user !== undefined) byHash.set(user.tokenHash, user);
  }

  /**
   * Makes a change by which a user is no longer an admin. It stores another admin anew before, over
   * the revision that is known now. So two hubs cannot take away each other's remaining admin at
   * the same time: one of the two changes finds another revision than it expects.
   */
  async function withoutAdmin(
    { name, may }: KeptUser,
    change: (revision: number) => Promise<unknown>,
  ): Promise<Refusal | undefined> {
    const revision = users.revision(name);
    if (may !== "admin") return await storeRefusal(change(revision));
    const stays = [...users.values.values()].find((one) =>
      one.may === "admin" && one.name !== name
    );
    if (stays === undefined) return lastAdmin(name);
    const stored = users.put(stays.name, stays, users.revision(stays.name));
    return await storeRefusal(stored.then(() => change(revision)));
  }

  /**
   * Changes are made one after the other: of two admins who remove each other at once, one stays.
   */
  const turns = createTurns();
  const oneByOne = <Result>(work: () => Promise<Result>) => turns.take("users", work);

  async function modify({ name, may, rights = [] }: Person): Promise<Refusal | undefined> {
    const user = users.values.get(name);
    if (user === undefined) return noUser(name);
    const refusal = rightsRefusal(may, rights);
    if (refusal !== undefined) return refusal;
    const { created, tokenHash } = user;
    const modified = { name, ...(may && { may }), rights, created, tokenHash };
    const change = (revision: number) => users.put(name, modified, revision);
    if (may === "admin") return await storeRefusal(change(users.revision(name)));
    return await withoutAdmin(user, change);
  }

  async function remove(name: string): Promise<Refusal | undefined> {
    const user = users.values.get(name);
    if (user === undefined) return noUser(name);
    return await withoutAdmin(user, (revision) => users.remove(name, revision));
  }

  return {
    get count() {
      return users.values.size;
    },
    list: () => Array.from(users.values.values(), ({ tokenHash: _, ...user }) => user),
    ofToken: (token) =>
      typeof token === "string" && isToken(token) ? byHash.get(hashToken(token)) : undefined,
    isCurrent: users.isCurrent,
    refresh(user) {
      const now = users.values.get(user.name);
      // The time at which the user was added is known if this hub has logged the user in.
      const created = (user as Partial<KeptUser>).created;
      return created === undefined || created === now?.created ? now : undefined;
    },
    async add({ name, may, rights = [] }) {
      if (!USER_NAME.test(name)) {
        const sentence = `expected ${USER_NAME_FORM}, got ${shown(name)}`;
        return refuse("invalidParameter", sentence, "name");
      }
      const refusal = rightsRefusal(may, rights);
      if (refusal !== undefined) return refusal;
      if (users.values.size >= FLEET_USERS) {
        return refuse("limitReached", `there are ${FLEET_USERS} users of the fleet already`);
      }
      // Names that differ in their Unicode form alone look alike.
      if ([...users.values.keys()].some((one) => one.normalize() === name.normalize())) {
        return refuse("invalidParameter", `there is a user ${name} already`, "name");
      }
      const token = makeToken(random);
      const created = new Date(clock.now()).toISOString();
      try {
        const user = { name, ...(may && { may }), rights, created, tokenHash: hashToken(token) };
        await users.put(name, user, 0);
      } catch (fault) {
        if (isLedgerError(fault) && fault.code === "conflict") {
          return refuse("invalidParameter", `there is a user ${name} already`, "name");
        }
        return unavailable(fault);
      }
      return { token };
    },
    modify: (user) => oneByOne(() => modify(user)),
    remove: (name) => oneByOne(() => remove(name)),
    watch: listeners.add,
  };
}

function noUser(name: string): Refusal {
  return refuse("noSuchObject", `no user ${shown(name)}`, "name");
}

function lastAdmin(name: string): Refusal {
  return refuse("invalidParameter", `${name} is the last admin of the fleet`, "name");
}

function rightsRefusal(
  may: FleetMay | undefined,
  rights: readonly FleetRight[],
): Refusal | undefined {
  if (!isMay(may) || (may === undefined && rights.length === 0)) {
    const sentence = `expected ${FLEET_MAY.join(", ")}, got ${shown(may)}`;
    return refuse("invalidParameter", sentence, "may");
  }
  if (rights.length > RIGHTS_OF_USER) {
    const sentence = `expected at most ${RIGHTS_OF_USER} rights, got ${rights.length}`;
    return refuse("invalidParameter", sentence, "rights");
  }
  const wrong = rights.find((right) => !isRight(right));
  if (wrong !== undefined) {
    const sentence = `expected a site or the id of a console, and what may be done there, ` +
      `got ${shown(wrong)}`;
    return refuse("invalidParameter", sentence, "rights");
  }
  const places = rights.map(placeOf);
  const twice = places.find((place, index) => places.indexOf(place) < index);
  if (twice === undefined) return undefined;
  return refuse("invalidParameter", `expected one right for ${twice}, got two`, "rights");
}

function placeOf(right: FleetRight): string {
  return "console" in right ? `console ${right.console}` : `site ${right.site}`;
}

function isMay(may: unknown): boolean {
  return may === undefined || (FLEET_MAY as readonly unknown[]).includes(may);
}

function isRight(right: FleetRight): boolean {
  const { site, console, may } = Object(right);
  const isOfSite = typeof site === "string" && site !== "" && site.length <= SITE_CHARACTERS;
  const isOfConsole = typeof console === "string" && FLEET_ID.test(console);
  return FLEET_MAY.includes(may) &&
    (isOfSite ? console === undefined : isOfConsole && site === undefined);
}

function readUser(value: Json): KeptUser | undefined {
  const { name, may, rights = [], created, tokenHash } = value as unknown as KeptUser;
  const isUser = typeof name === "string" && Array.isArray(rights) &&
    rightsRefusal(may, rights) === undefined && typeof created === "string" &&
    typeof tokenHash === "string";
  return isUser ? { name, may, rights, created, tokenHash } : undefined;
}
