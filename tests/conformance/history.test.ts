/** The history of levels and loudness, as clients read it. */
import { assertEquals } from "@std/assert";
import { claimPaths } from "../../core/engines/claim.ts";
import { takeReport } from "../../core/engines/report.ts";
import type { Timer } from "../../core/ports.ts";
import { addUser } from "../../core/users/adduser.ts";
import { DEVICE } from "../../core/users/user.ts";
import { result, tokens } from "../service.ts";
import { test } from "./row.ts";

/** Time stands still in the first second of the service, in which a meter has one value. */
const firstSecond: Timer = { monotonic: () => 0, at: () => () => {} };

test("a viewer reads the history of loudness and of levels", async ({ service, both }) => {
  const { console } = service;
  await result(console, addUser({ name: "dsp", groups: 1, admin: false, engine: true }));
  const added = await service.rpc("adduser", { name: "viewer", groups: 1, may: "view" });
  const user = console.state.users.get("dsp")!;
  console.dispatch(claimPaths(user, [[]]), { user, connection: 999 });
  const audio = {
    loudness: { 1: { _levelm: -20.04, _leveli: -23.06, _maxm: -9 } },
    levels: { 1: { _left: -9, _right: -8.96, _correlation: 1 } },
  };
  console.dispatch(takeReport({ audio }, [[]]), DEVICE);
  for (const token of [tokens.none, added.payload.result.token]) {
    const loudness = await both("getloudnesshistory", { loudness: 1 }, token);
    assertEquals(loudness.payload.result, {
      start: "1970-01-01T00:00:00.000Z",
      step: 1,
      members: { _levelm: [-20], _leveli: [-23.1] },
    });
    const level = await both("getlevelhistory", { level: 1, step: 60 }, token);
    assertEquals(level.payload.result.members, { _left: [-9], _right: [-9] });
  }
}, { serviceTimer: firstSecond });

test("the history of a meter without a report has no members; an unknown meter is error 6", async ({ both, assertCodes }) => {
  const { payload } = await both("getloudnesshistory", { loudness: 1 }, tokens.admin);
  assertEquals(payload.result.members, {});
  await assertCodes([
    ["getloudnesshistory", { loudness: 7 }, 6],
    ["getlevelhistory", { level: 7 }, 6],
  ]);
});
