/**
 * The codes by which consoles are enrolled, each for one console. A hub keeps only their hashes.
 *
 * @module
 */
import { type Refusal, refuse } from "../../core/errors.ts";
import type { Json } from "../../core/json.ts";
import type { Clock, Random } from "../../core/ports.ts";
import { hashToken } from "../../core/users/token.ts";
import { followBucket } from "../ledger/followed-bucket.ts";
import { isLedgerError, type Ledger } from "../ledger/ledger.ts";
import { unavailable } from "../ledger/unavailable.ts";
import { CODE_MS } from "../wire.ts";
import { CODES } from "./hub-limits.ts";

/** A code of enrolment. */
interface Code {
  /** In ms since 1970. */
  readonly expires: number;
}

/** The codes of a fleet. */
export interface EnrolmentCodes {
  /** Makes a code; refused (11) while too many codes are not used. */
  make(): Promise<{ readonly code: string; readonly expires: string } | Refusal>;
  /** Refuses a code that is not, or no longer, valid. */
  refusal(code: string): Refusal | undefined;
  /** Uses a code up, so that only one of two consoles with the same code is enrolled. */
  use(code: string): Promise<Refusal | undefined>;
}

const BAD_CODE = refuse(
  "notLoggedIn",
  "expected a code of enrolment that was not used, made within the last 15 minutes",
  "code",
);

/** Digits of codes, without 0, 1, I and O, which are easily confused. */
const DIGITS = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ";
const CODE_DIGITS = 12;

/** Follows the codes in a ledger. */
export async function followCodes(
  ledger: Ledger,
  { clock, random }: { readonly clock: Clock; readonly random: Random },
): Promise<EnrolmentCodes> {
  const codes = await followBucket(ledger, "codes", readCode);

  /**
   * A code that was made while the clock was far ahead would be valid long after. The clock of the
   * hub that made it may be some minutes ahead of this one.
   */
  function isValid({ expires }: Code): boolean {
    const left = expires - clock.now();
    return left > 0 && left <= 2 * CODE_MS;
  }

  return {
    async make() {
      try {
        for (const [hash, one] of [...codes.values]) if (!isValid(one)) await codes.remove(hash);
        if (codes.values.size >= CODES) {
          return refuse("limitReached", `there are ${CODES} codes that are not used`);
        }
        const digits = Array.from(random.bytes(CODE_DIGITS), (byte) => DIGITS[byte % 32]!).join("");
        const expires = clock.now() + CODE_MS;
        await codes.put(hashCode(digits), { expires }, 0);
        const code = digits.replace(/.{4}(?!$)/g, "$&-");
        return { code, expires: new Date(expires).toISOString() };
      } catch (fault) {
        return unavailable(fault);
      }
    },
    refusal(code) {
      const found = codes.values.get(hashCode(code));
      return found !== undefined && isValid(found) ? undefined : BAD_CODE;
    },
    async use(code) {
      const hash = hashCode(code);
      try {
        await codes.remove(hash, codes.revision(hash));
      } catch (fault) {
        return isLedgerError(fault) && fault.code === "conflict" ? BAD_CODE : unavailable(fault);
      }
    },
  };
}

/** The hash of a code, however it is spelled: with or without hyphens, in upper or lower case. */
function hashCode(code: string): string {
  return hashToken(code.replaceAll(/[\s-]/g, ""));
}

function readCode(value: Json): Code | undefined {
  const { expires } = value as unknown as Code;
  return typeof expires === "number" ? { expires } : undefined;
}
