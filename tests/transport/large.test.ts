/** Large content is made or checked in turns of the event loop, on every interface. */
import { schedulerWith } from "../schedulers.ts";
import { assert, assertEquals } from "@std/assert";
import {
  act,
  formFile,
  type Json,
  startService,
  type TestService,
  tokens,
  unlimitedWith,
} from "../service.ts";

const mixer = "/audio/mixers/0";

/** Calls about a mixer of 64 faders; each gets a `snapshot` of it, the result of `getsnapshot`. */
const calls: Readonly<
  Record<string, (service: TestService, id: string, snapshot: Json) => Promise<Json>>
> = {
  "get": (service) => service.post({ method: "get", path: mixer }),
  "GET /api/rest": async ({ url }) => (await fetch(`${url}/api/rest/audio/mixers/0`)).json(),
  "set": (service, _, { snapshotdata: { content: payload } }) =>
    service.post({ method: "set", path: mixer, payload }),
  "getsnapshot": (service, id) => service.rpc("getsnapshot", { id }),
  "getsnapshot of a default snapshot never saved": (service) =>
    service.rpc("getsnapshot", { id: "default" }),
  "setsnapshot": (service, _, snapshot) => service.rpc("setsnapshot", snapshot),
  "downloadmxsnap": async ({ url }) =>
    (await fetch(`${url}/action/downloadmxsnap?SnapshotID=2&Token=${tokens.admin}`)).json(),
  "uploadmxsnap": async (service, _, { snapshotdata }) => {
    const file = formFile(JSON.stringify(snapshotdata), "1.sfp");
    return (await act(
      service,
      "uploadmxsnap",
      { SnapshotID: "9", file, Token: tokens.admin },
      "multipart",
    )).json;
  },
};

Deno.test("large content is made or checked in turns, small content at once", async (t) => {
  let turns = 0;
  const turn = () => {
    turns++;
    return Promise.resolve();
  };
  const configuration = unlimitedWith({ mixers: [{ faders: 64 }] });
  await using service = await startService({ configuration, scheduler: schedulerWith(turn) });
  await service.rpc("savesnapshot", { type: 2, id: "", writegroups: 255, readgroups: 0 });
  const { payload: { result } } = await service.rpc("getsnapshotlist", { type: 2 });
  const { id } = result.at(-1);
  const { payload: { result: snapshot } } = await service.rpc("getsnapshot", { id });
  for (const [name, call] of Object.entries(calls)) {
    await t.step(name, async () => {
      turns = 0;
      const { Error: refused, error } = await call(service, id, snapshot);
      assertEquals([refused, error], [undefined, undefined]);
      assert(turns >= 2, `${turns} turns`);
    });
  }
  turns = 0;
  await service.post({ method: "get", path: `${mixer}/faders/0` });
  await service.rpc("getsnapshotlist", { type: 2 });
  assertEquals(turns, 0);
});
