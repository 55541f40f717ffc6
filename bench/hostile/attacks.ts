/**
 * Every attack of `hostile.ts`, by the name of its row.
 *
 * @module
 */
import { idle } from "./attacks/idle.ts";
import { stoppedBodies, stoppedStreams } from "./attacks/bodies.ts";
import { costly, fragments, parsing, unread } from "./attacks/messages.ts";
import { normal } from "./attacks/normal.ts";
import { hugeTree, manyFaults } from "./attacks/restores.ts";
import { guessing } from "./attacks/tokens.ts";
import { labels, pictures, smallSnapshots, snapshots } from "./attacks/writes.ts";
import type { Attack } from "./target.ts";

/** The attacks. */
export const attacks: Readonly<Record<string, Attack>> = {
  fragments,
  parsing,
  "stopped-bodies": stoppedBodies,
  "stopped-streams": stoppedStreams("http"),
  "stopped-streams-tls": stoppedStreams("https"),
  unread,
  costly,
  idle,
  snapshots,
  "small-snapshots": smallSnapshots,
  labels,
  pictures,
  tokens: guessing,
  "archive-faults": manyFaults,
  "huge-tree": hugeTree,
  normal,
};
