/** The work for the counts of the sites of a large fleet (docs/fleet.md). */
import { assert, assertEquals } from "@std/assert";
import { createFleetTree, type TreeChange } from "../../../fleet/api/fleet-tree.ts";
import { sitesChange } from "../../../fleet/api/sites.ts";
import { passingTime } from "../../timers.ts";
import { summaryOf } from "../open-hub.ts";

Deno.test("a change of a site is counted for each user without a look at each console", () => {
  const idOf = (number: number) => `${number}`.padStart(32, "0");
  const siteOf = (number: number) => `site ${number % 20}`;
  const entryOf = (number: number, state = "live") => ({
    ...{ id: idOf(number), state, since: 0, summary: summaryOf({ site: siteOf(number) }) },
  });
  const entries = new Map(
    Array.from({ length: 1000 }, (_, number) => [idOf(number), entryOf(number)]),
  );
  let changed = (_id: string) => {};
  const { timer, pass } = passingTime();
  const tree = createFleetTree({
    consoles: () => entries,
    watch(listener: typeof changed) {
      changed = listener;
      return () => {};
    },
  } as never, { clock: timer, timer, version: "1" } as never);
  const changes: TreeChange[] = [];
  tree.watch((change) => changes.push(change));
  entries.set(idOf(27), entryOf(27, "stale"));
  changed(idOf(27));
  pass(100);
  let reads = 0;
  const rights = [
    { site: "site 7", may: "view" },
    { console: idOf(27), may: "operate" },
    { console: idOf(8), may: "operate" },
    { console: idOf(9_999), may: "operate" },
  ] as const;
  const user = {
    name: "carl",
    get rights() {
      reads++;
      return rights;
    },
  };
  const recounted = changes[0]!.recounted!;
  assertEquals(sitesChange(recounted, user), { sites: { "site 7": { _live: 49, _stale: 1 } } });
  assert(reads <= 2, `the rights were read ${reads} times`);
  const [, ...others] = rights;
  assertEquals(sitesChange(recounted, { name: "dora", rights: others }), {
    sites: { "site 7": { _live: 0, _stale: 1 } },
  });
  assertEquals(sitesChange(recounted, { name: "eve", rights: others.slice(1) }), undefined);
  tree.close();
});
