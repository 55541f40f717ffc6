/**
 * Memory quotas: the number of bytes that all clients together may make the service hold for one
 * purpose, such as their send buffers. If a quota is used up, the holders that take most of it are
 * evicted.
 *
 * @module
 */

/** Something that holds memory for a client: a connection, a body, an answer. */
export interface Holder {
  /** The client's address, as the limits count it. */
  readonly address: string;
  /** The bytes that it holds now. */
  held(): number;
  /** Called once, when it is evicted: it has to release everything that it holds. */
  evict(): void;
}

/** A holder's place in a quota. */
export interface Admission {
  /** Reports that the holder holds this many bytes more. Released bytes need not be reported. */
  grew(bytes: number): void;
  /** From now on the holder is not evicted, though its bytes count. */
  settle(): void;
  /** Reports that the holder is gone: it holds nothing any more. */
  leave(): void;
}

/** A quota: admits a holder, which holds nothing at first. */
export type MemoryQuota = (holder: Holder) => Admission;

/** A holder, and the bytes that it held when all were last measured. */
interface Member extends Holder {
  /** Infinity if it has not been measured yet. */
  bytes: number;
  /** Whether it held less at that measurement than at the one before. */
  isReleasing: boolean;
  isSettled: boolean;
}

/**
 * Makes a quota of `bytes` for all holders together, a number that may change. If it is exceeded,
 * holders of the address that holds most are evicted: first those that have released nothing since
 * the last measurement, of these the largest, and of equal ones the oldest. A single holder may
 * hold more than the quota, so that one item of any size is possible.
 *
 * The network does not report the bytes that it has accepted. So the quota keeps a sum that only
 * grows, and measures all holders once that exceeds the quota: seldom, and then the sum is exact
 * again.
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
