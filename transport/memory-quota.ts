/**
 * Memory quotas: how many bytes all clients together may make the service hold for one purpose, such
 * as their send buffers. Where a quota is used up, the holders that take most of it are evicted.
 *
 * @module
 */

/** Something that holds memory for a client: a connection, a body, an answer. */
export interface Holder {
  /** The client's address, as the limits count it. */
  readonly address: string;
  /** The bytes that it holds now. */
  held(): number;
  /** Is called once, when it is evicted: it has to release all that it holds. */
  evict(): void;
}

/** A holder's place in a quota. */
export interface Admission {
  /** The holder holds this many bytes more. What it releases need not be reported. */
  grew(bytes: number): void;
  /** The holder is not evicted any more, though its bytes count. */
  settle(): void;
  /** The holder is gone: it holds nothing any more. */
  leave(): void;
}

/** A quota: admits a holder, which holds nothing at first. */
export type MemoryQuota = (holder: Holder) => Admission;

/** A holder, and the bytes that it held when all were last measured. */
interface Member extends Holder {
  /** Infinity where it has not been measured yet. */
  bytes: number;
  /** Whether it held less then than the time before. */
  isReleasing: boolean;
  isSettled: boolean;
}

/**
 * Makes a quota of `bytes` for all holders together; how much that is may change. Where it is used
 * up, the address gives way that holds most, and of its holders first one that has released nothing
 * since all were last measured, the largest of those, and of equal ones the oldest. A holder that is
 * alone may hold more than the quota: however large one thing is, it can be had.
 *
 * The network does not report the bytes that it takes. So the quota keeps a sum that only grows, and
 * measures all holders once that exceeds the quota: seldom, and then the sum is exact again.
 */
export function createMemoryQuota(bytes: () => number): MemoryQuota {
  const members = new Set<Member>();
  let atMost = 0;

  function measure(): void {
    atMost = 0;
    for (const member of members) {
      const held = member.held();
      member.isReleasing = held < member.bytes;
      member.bytes = held;
      atMost += held;
    }
  }

  function evict(): void {
    measure();
    while (atMost > bytes()) {
      const next = nextToEvict(members);
      if (next === undefined || next.bytes === atMost) return;
      members.delete(next);
      atMost -= next.bytes;
      next.evict();
    }
  }

  return (holder) => {
    const member = {
      address: holder.address,
      held: holder.held,
      evict: holder.evict,
      bytes: Infinity,
      isReleasing: false,
      isSettled: false,
    };
    members.add(member);
    return {
      grew(count) {
        if (!members.has(member)) return;
        atMost += count;
        if (atMost > bytes()) evict();
      },
      settle: () => void (member.isSettled = true),
      leave: () => void members.delete(member),
    };
  };
}

function nextToEvict(members: ReadonlySet<Member>): Member | undefined {
  const ofAddress = new Map<string, number>();
  for (const { address, bytes } of members) {
    ofAddress.set(address, (ofAddress.get(address) ?? 0) + bytes);
  }
  let next: Member | undefined;
  for (const member of members) {
    if (member.isSettled || member.bytes === 0) continue;
    if (next === undefined || goesBefore(member, next, ofAddress)) next = member;
  }
  return next;
}

function goesBefore(one: Member, other: Member, ofAddress: ReadonlyMap<string, number>): boolean {
  if (one.address !== other.address) {
    return ofAddress.get(one.address)! > ofAddress.get(other.address)!;
  }
  if (one.isReleasing !== other.isReleasing) return other.isReleasing;
  return one.bytes > other.bytes;
}
