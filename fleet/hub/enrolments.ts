/**
 * The enrolled consoles. A hub keeps only the hashes of their tokens.
 *
 * @module
 */
import { type Refusal, refuse } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import type { Clock, Random } from "../../core/ports.ts";
import { hashToken, isToken, makeToken } from "../../core/users/token.ts";
import { noConsole } from "./console-state.ts";
import { type EnrolmentCodes, followCodes } from "./enrolment-codes.ts";
import { followBucket } from "../ledger/followed-bucket.ts";
import { CONSOLES } from "./hub-limits.ts";
import { isLedgerError, type Ledger } from "../ledger/ledger.ts";
import { storeRefusal, unavailable } from "../ledger/unavailable.ts";
import type { ConsoleId, Enrolment } from "../wire.ts";

/** A console that is enrolled. */
export interface Enrolled {
  /** The name and the site: those at the enrolment, until the console has reported others. */
  readonly name: string;
  readonly site: string;
  /** When it was enrolled, in ISO 8601 and UTC. */
  readonly enrolled: string;
  /** Whether somebody took it out of quarantine. */
  readonly isApproved: boolean;
  readonly tokenHash: string;
}

/** The enrolments of a fleet. */
export interface Enrolments {
  readonly consoles: ReadonlyMap<ConsoleId, Enrolled>;
  /** Returns the id of the console with a token; undefined for a wrong token. */
  ofToken(token: unknown): ConsoleId | undefined;
  /** Says whether the ledger has a console as this hub knows it; rejects if it does not answer. */
  isCurrent(id: ConsoleId): Promise<boolean>;
  readonly makeCode: EnrolmentCodes["make"];
  /** Enrols a console by a code, which is then used up; returns the token of the console. */
  enrol(asked: Enrolment): Promise<{ readonly token: string } | Refusal>;
  approve(id: ConsoleId): Promise<Refusal | undefined>;
  /** Stores the name and the site that an enrolled console has now. */
  rename(
    id: ConsoleId,
    reported: Pick<Enrolled, "name" | "site">,
  ): Promise<Refusal | undefined>;
  remove(id: ConsoleId): Promise<Refusal | undefined>;
  /**
   * Calls `listener` with the id of each console whose enrolment has changed, and its enrolment
   * before; undefined for a new one.
   */
  watch(listener: (id: ConsoleId, before: Enrolled | undefined) => void): () => void;
}

/** Follows the enrolments in a ledger. */
export async function followEnrolments(
  ledger: Ledger,
  { clock, random, isDialled }: {
    readonly clock: Clock;
    readonly random: Random;
    /** Says whether the hub itself dials a console: no other one may be enrolled under its id. */
    readonly isDialled: (id: ConsoleId) => boolean;
  },
): Promise<Enrolments> {
  const listeners = new Set<Parameters<Enrolments["watch"]>[0]>();
  const byHash = new Map<string, ConsoleId>();
  const codes = await followCodes(ledger, { clock, random });
  const consoles = await followBucket(ledger, "consoles", readEnrolled, (id, before) => {
    if (before !== undefined) byHash.delete(before.tokenHash);
    index(id, consoles.values.get(id));
    for (const listener of listeners) listener(id, before);
  });
  for (const [id, enrolled] of consoles.values) index(id, enrolled);

  function index(id: ConsoleId, enrolled: Enrolled | undefined): void {
    if (enrolled !== undefined) byHash.set(enrolled.tokenHash, id);
  }

  async function alter(id: ConsoleId, given: Partial<Enrolled>): Promise<Refusal | undefined> {
    const enrolled = consoles.values.get(id);
    if (enrolled === undefined) return noConsole(id);
    return await storeRefusal(
      consoles.put(id, { ...enrolled, ...given }, consoles.revision(id)),
    );
  }

  return {
    consoles: consoles.values,
    ofToken: (token) =>
      typeof token === "string" && isToken(token) ? byHash.get(hashToken(token)) : undefined,
    isCurrent: consoles.isCurrent,
    makeCode: codes.make,
    async enrol({ code, console: id, name, site }) {
      // The code is checked first: without a code nobody learns which consoles there are.
      const wrong = codes.refusal(code);
      if (wrong !== undefined) return wrong;
      // A refusal leaves the code as it is.
      if (consoles.values.has(id)) return enrolledAlready(id);
      if (isDialled(id)) {
        return refuse("invalidParameter", `the hub dials console ${id} itself`, "console");
      }
      if (consoles.values.size >= CONSOLES) {
        return refuse("limitReached", `there are ${CONSOLES} consoles already`);
      }
      const refused = await codes.use(code);
      if (refused !== undefined) return refused;
      const token = makeToken(random);
      const enrolled = new Date(clock.now()).toISOString();
      const value = { name, site, enrolled, isApproved: false, tokenHash: hashToken(token) };
      try {
        await consoles.put(id, value, 0);
      } catch (fault) {
        if (!(isLedgerError(fault) && fault.code === "conflict")) return unavailable(fault);
        return enrolledAlready(id);
      }
      return { token };
    },
    approve: async (id) =>
      consoles.values.get(id)?.isApproved ? undefined : await alter(id, { isApproved: true }),
    rename: alter,
    async remove(id) {
      if (!consoles.values.has(id)) return noConsole(id);
      return await storeRefusal(consoles.remove(id));
    },
    watch(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function enrolledAlready(id: ConsoleId): Refusal {
  const sentence = `console ${id} is enrolled already; remove it from the fleet first`;
  return refuse("invalidParameter", sentence, "console");
}

function readEnrolled(value: Json): Enrolled | undefined {
  const { name, site, enrolled, isApproved, tokenHash } = value as unknown as Enrolled;
  const isEnrolled = [name, site, enrolled, tokenHash].every((text) => typeof text === "string") &&
    typeof isApproved === "boolean";
  return isEnrolled ? { name, site, enrolled, isApproved, tokenHash } : undefined;
}
