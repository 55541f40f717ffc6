/**
 * The attacks as rows of a table: what they are, for how long they go on, and what has to hold.
 *
 * @module
 */

/** One row. */
export interface Row {
  /** The name by which `--only` asks for it; that of its attack, too. */
  readonly name: string;
  readonly what: string;
  /** How long the attack goes on, in s. */
  readonly seconds: number;
  /** Whether it makes the service work; then another's read may take longer. */
  readonly works?: true;
  /** The service speaks HTTPS, too. */
  readonly tls?: true;
  /** Afterwards the service is started anew, and that is timed. */
  readonly restarts?: true;
  /** The attack may change the configuration, so that what comes after is not the same console. */
  readonly reconfigures?: true;
}

/** The rows, in their order. */
export const rows: readonly Row[] = [
  {
    name: "fragments",
    what: "8 WebSockets over TLS send 50 MiB each in fragments of 1 MiB, and never the last",
    seconds: 10,
    tls: true,
  },
  {
    name: "parsing",
    what: "20 WebSockets send 4 messages of 900 KB each that are costly to parse",
    seconds: 10,
    works: true,
  },
  {
    name: "stopped-bodies",
    what: "200 POST bodies of 1 MiB that stop before their end",
    seconds: 15,
  },
  {
    name: "stopped-streams",
    what: "10 times 200 HTTP/2 streams without TLS, bodies of 1 MiB that stop",
    seconds: 15,
  },
  {
    name: "stopped-streams-tls",
    what: "10 times 200 HTTP/2 streams over TLS, bodies of 1 MiB that stop",
    seconds: 15,
    tls: true,
  },
  {
    name: "unread",
    what: "150 WebSockets ask for the whole tree 20 times each, and do not read",
    seconds: 15,
  },
  {
    name: "costly",
    what: "300,000 objects, 55,000 unknown members, brackets, a path of slashes, in turns",
    seconds: 10,
    works: true,
  },
  {
    name: "idle",
    what: "1,000 WebSockets, 300 silent, 300 half heads, 300 kept alive, of one address",
    seconds: 75,
  },
  {
    name: "snapshots",
    what: "a user of group 1 saves snapshots of the mixer, for ever",
    seconds: 10,
    works: true,
    restarts: true,
  },
  {
    name: "small-snapshots",
    what: "a user of group 1 saves snapshots of a channel, for ever",
    seconds: 10,
    works: true,
    restarts: true,
  },
  { name: "labels", what: "a user sets labels, for ever", seconds: 10 },
  { name: "pictures", what: "10 addresses replace a picture of 4 MiB, for ever", seconds: 10 },
  { name: "tokens", what: "wrong tokens as fast as can be, from one address", seconds: 5 },
  {
    name: "archive-faults",
    what: "an admin restores a configuration with 400,000 faults",
    seconds: 10,
    works: true,
  },
  {
    name: "huge-tree",
    what: "an admin restores a configuration of 4,096 faders x 4,096 mute groups",
    seconds: 10,
    works: true,
    reconfigures: true,
  },
  {
    name: "normal",
    what: "no attack: 20 requests a second over HTTP, a Stream Deck with 200 subscriptions",
    seconds: 15,
  },
];

/** What has to hold in every row: memory in MB over idle, times in ms. */
export const TARGETS = {
  peak: 200,
  settled: 40,
  read: 300,
  /** The slowest read where the attack makes the service work. */
  readWorking: 500,
  late: 20,
} as const;
