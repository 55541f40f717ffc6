/**
 * The memory that connections hold with what has begun to come and is not whole yet: heads of
 * requests, and messages over WebSockets. Deno, and `ws` in Node, collect it and tell nobody before
 * it is whole, so whoever sees the bytes of a connection counts them here.
 *
 * @module
 */
import type { Timer } from "../core/ports.ts";

/** The quota of all connections together. */
export interface HalfSentQuota {
  /** A connection from an address, which holds `bytes` from the start; `drop` ends it. */
  join(address: string, bytes: number, drop: () => void): HalfSent;
}

/** What one connection holds. */
export interface HalfSent {
  readonly bytes: number;
  /** So many bytes more have come. */
  grew(bytes: number): void;
  /** What has come is whole: it holds only so many bytes now. */
  whole(bytes: number): void;
  /** The connection is gone. */
  leave(): void;
}

/**
 * Pings and pongs are no part of a message, and cannot be told from one. What a client sends more
 * slowly than this is not counted, for it may only listen: ten pings a second, over TLS of 28 bytes
 * each and a few more with a payload. Whoever sends a message as slowly takes 44 minutes for 1 MiB.
 */
const PING_BYTES_PER_S = 400;

/** A connection, as the quota knows it. */
interface Member {
  readonly address: string;
  readonly drop: () => void;
  bytes: number;
  /** What it holds in any case. */
  least: number;
  /** When bytes came last, in monotonic ms. */
  at: number;
}

/**
 * Makes the quota, which may change. Where it is used up, the address that holds most of it loses
 * its largest connection, of equal ones the oldest, and so on until there is room.
 */
export function createHalfSentQuota(most: () => number, timer: Timer): HalfSentQuota {
  const members = new Set<Member>();
  let total = 0;

  function set(member: Member, bytes: number): void {
    if (!members.has(member)) return;
    total += bytes - member.bytes;
    member.bytes = bytes;
    if (total > most()) makeRoom();
  }

  function leave(member: Member): void {
    if (!members.delete(member)) return;
    total -= member.bytes;
    member.bytes = 0;
  }

  function makeRoom(): void {
    while (total > most()) {
      const largest = largestOf(members);
      if (largest === undefined) return;
      leave(largest);
      largest.drop();
    }
  }

  return {
    join(address, bytes, drop) {
      const member = { address, drop, bytes: 0, least: bytes, at: timer.monotonic() };
      members.add(member);
      set(member, bytes);
      return {
        get bytes() {
          return member.bytes;
        },
        grew(count) {
          const now = timer.monotonic();
          const pings = PING_BYTES_PER_S * (now - member.at) / 1000;
          member.at = now;
          set(member, Math.max(member.least, member.bytes - pings) + count);
        },
        whole(left) {
          member.least = left;
          set(member, left);
        },
        leave: () => leave(member),
      };
    },
  };
}

/** The largest connection of the address that holds most; of equal ones the oldest. */
function largestOf(members: ReadonlySet<Member>): Member | undefined {
  const held = new Map<string, number>();
  for (const { address, bytes } of members) held.set(address, (held.get(address) ?? 0) + bytes);
  let largest: Member | undefined;
  for (const member of members) {
    const more = largest === undefined ||
      held.get(member.address)! > held.get(largest.address)! ||
      member.address === largest.address && member.bytes > largest.bytes;
    if (more) largest = member;
  }
  return largest;
}
