/** Who may load, change and make snapshots (service.md, "Authentication"; decisions.md, "Users"). */
import { assert, assertEquals } from "@std/assert";
import { tokens } from "../service.ts";
import { both, factory, row, save } from "./row.ts";

row("writegroups is 1-255 (0 disallowed), readgroups 0-255", async (service, socket) => {
  const { id } = await save(service, {});
  const codes = async (parameter: string) => {
    const answers = [];
    for (const value of [-1, 0, 1, 255, 256]) {
      const { error } = await both(service, socket, "modifysnapshot", { id, [parameter]: value });
      answers.push(error?.code);
    }
    return answers;
  };
  assertEquals(await codes("readgroups"), [3, undefined, undefined, undefined, 3]);
  assertEquals(await codes("writegroups"), [3, 3, undefined, undefined, 3]);
});

const readgroupsRows:
  readonly (readonly [number, number, string | undefined, number | undefined])[] = [
    [0, 1, undefined, undefined],
    [0, 1, tokens.none, undefined],
    [2, 4, undefined, 4],
    [2, 4, tokens.none, 5],
    [2, 4, tokens.one, 5],
    [2, 4, tokens.two, undefined],
    [2, 1, tokens.one, undefined],
  ];

row(
  "loading needs readgroups 0, or a group of readgroups or writegroups",
  async (service, socket) => {
    for (const [readgroups, writegroups, token, code] of readgroupsRows) {
      const { id } = await save(service, { readgroups, writegroups });
      for (const method of ["loadsnapshot", "getsnapshot"]) {
        const { error } = await socket.ask({
          method: "rpc",
          token,
          payload: { method, params: { id } },
        });
        assertEquals(error?.code, code, `${method} ${readgroups} ${writegroups} ${token}`);
      }
    }
  },
);

row(
  "overwriting, modifying, removing and setting need a group of writegroups",
  async (service, socket) => {
    const { id } = await save(service, { readgroups: 1, writegroups: 2 });
    const { snapshotdata } = (await service.rpc("getsnapshot", { id })).payload.result;
    const calls = [
      ["savesnapshot", { type: 2, id, writegroups: 2 }],
      ["modifysnapshot", { id, name: "Mine" }],
      ["setsnapshot", { snapshotdata }],
      ["removesnapshot", { id }],
    ] as const;
    for (
      const [token, code] of [[undefined, 4], [tokens.none, 5], [tokens.one, 5], [
        tokens.two,
        undefined,
      ]] as const
    ) {
      for (const [method, params] of calls) {
        const { error } = await socket.ask({ method: "rpc", token, payload: { method, params } });
        assertEquals(error?.code, code, `${method} ${token}`);
      }
    }
  },
);

row(
  "creating, and saving or setting a default snapshot, needs a known user with a group",
  async (service, socket) => {
    const { snapshotdata } = (await service.rpc("getsnapshot", { id: "default" })).payload.result;
    const { id } = await save(service, {});
    const fresh = (await service.rpc("getsnapshot", { id })).payload.result.snapshotdata;
    await service.rpc("removesnapshot", { id });
    const calls = [
      ["savesnapshot", { type: 2, id: "", writegroups: 4 }],
      ["savesnapshot", { type: 2, id: "default", writegroups: 4 }],
      ["setsnapshot", { snapshotdata }],
      ["setsnapshot", { snapshotdata: fresh }],
    ] as const;
    for (
      const [token, code] of [[undefined, 4], [tokens.none, 5], [tokens.one, undefined]] as const
    ) {
      for (const [method, params] of calls) {
        const { error } = await socket.ask({ method: "rpc", token, payload: { method, params } });
        assertEquals(error?.code, code, `${method} ${token}`);
      }
    }
  },
);

row(
  "the default snapshot is never removed or modified, factory ones never changed",
  async (service, socket) => {
    const { state } = service.console;
    const { snapshotdata } =
      (await service.rpc("getsnapshot", { id: factory.mixer })).payload.result;
    const calls = [
      ["removesnapshot", { id: "default" }],
      ["modifysnapshot", { id: "default", name: "Mine" }],
      ["removesnapshot", { id: factory.channel }],
      ["modifysnapshot", { id: factory.processing, name: "Mine" }],
      ["savesnapshot", { type: 2, id: factory.mixer, writegroups: 1 }],
      ["setsnapshot", { snapshotdata }],
    ] as const;
    for (const [method, params] of calls) {
      const { error } = await both(service, socket, method, params);
      assertEquals(error?.code, 7, `${method} ${JSON.stringify(params)}`);
    }
    assert(service.console.state === state);
  },
);
