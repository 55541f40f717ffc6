/**
 * Memory quotas: the number of bytes that all clients together may make the service hold for one
 * purpose, such as their send buffers. If a quota is used up, allocations of the address that uses
 * most of it are evicted.
 *
 * @module
 */

/** The memory of a connection, a body or an answer of a client. */
export interface Allocation {
  /** The client's address, as the limits count it. */
  readonly address: string;
  /** Returns its present size in bytes. */
  held(): number;
  /** Called once, when it is evicted: all of it has to be released. */
  evict(): void;
}

/** The admission of an allocation to a quota. */
export interface Admission {
  /** Reports that it is larger by this many bytes. Released bytes need not be reported. */
  grew(bytes: number): void;
  /** From now on it is not evicted, though its bytes count. */
  settle(): void;
  /** Reports that all of it is released, for good. */
  leave(): void;
}

/** A quota: admits an allocation, which is empty at first. */
export type MemoryQuota = (allocation: Allocation) => Admission;

/** An allocation, and its size in bytes when all were last measured. */
interface Member extends Allocation {
  /** Infinity if it has not been measured yet. */
  bytes: number;
  /** Whether it was smaller at that measurement than at the one before. */
  isReleasing: boolean;
  isSettled: boolean;
}

/**
 * Makes a quota of `bytes` for all allocations together, a number that may change. If it is
 * exceeded, allocations of the address that uses most of it are evicted: first those that have
 * released nothing since the last measurement, of these the largest, and of equal ones the oldest.
 * A single allocation may exceed the quota, so that one item of any size is possible.
 *
 * The network does not report the bytes that it has accepted. So the quota keeps a sum that only
 * grows, and measures all allocations when the sum exceeds the quota. That is seldom, and makes the
 * sum exact again.
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

  return (allocation) => {
    const member = {
      address: allocation.address,
      held: allocation.held,
      evict: allocation.evict,
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
