/** The caller's own user and rights: the RPC `getuser`. */
import { assertEquals } from "@std/assert";
import { demoWith, startService, tokens } from "../../service.ts";

Deno.test("with a login getuser returns name and rights, but not the token", async () => {
  await using service = await startService();
  const of = async (token: string) => (await service.rpc("getuser", {}, token)).payload.result;
  const rest = { engine: false, expires: null };
  assertEquals(await of(tokens.admin), {
    name: "admin",
    groups: 255,
    admin: true,
    may: "configure",
    ...rest,
  });
  await service.rpc("modifyuser", { name: "one", may: "view", expires: "2999-01-31" });
  assertEquals(await of(tokens.one), {
    name: "one",
    groups: 1,
    admin: false,
    may: "view",
    engine: false,
    expires: "2999-02-01T00:00:00.000Z",
  });
});

Deno.test("without a login getuser says that the caller may only view if the configuration says so", async () => {
  await using service = await startService({ configuration: demoWith({ anonymous: "view" }) });
  const { payload } = await (await service.open()).rpc("getuser", {});
  assertEquals([payload.result.name, payload.result.may], [null, "view"]);
});

Deno.test("without a login getuser returns no name, and the right that the configuration grants", async () => {
  await using service = await startService();
  const socket = await service.open();
  const { payload } = await socket.rpc("getuser", {});
  assertEquals(payload.result, {
    name: null,
    groups: 0,
    admin: false,
    engine: false,
    may: "configure",
    expires: null,
  });
  await socket.ask({ method: "auth", token: tokens.two });
  assertEquals((await socket.rpc("getuser", {})).payload.result.name, "two");
});
