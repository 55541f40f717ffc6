/** The RPCs `login` and `logout` of a mixer, as a page calls them. */
import { assertEquals } from "@std/assert";
import { startService } from "../../service.ts";

Deno.test("login puts the caller on a mixer, by default 0, and logout removes any user from it", async () => {
  await using service = await startService();
  const socket = await service.open();
  await socket.ask({ method: "subscribe", path: "/audio/mixers/1/_user" });
  const { payload } = await service.rpc("login", { mixer: 1 });
  const { user } = payload.result;
  assertEquals((await socket.next()).payload, { audio: { mixers: { 1: { _user: user } } } });
  const mixer = { method: "get", path: "/audio/mixers/0/_user" };
  assertEquals((await socket.ask(mixer)).payload, "");
  await service.rpc("login", {});
  assertEquals((await socket.ask(mixer)).payload, user);
  assertEquals((await service.rpc("logout", { mixer: 1 })).payload.result, {});
  assertEquals((await socket.next()).payload, { audio: { mixers: { 1: { _user: "" } } } });
});

Deno.test("a login or logout without a user is refused (4), and so is a mixer that does not exist (6)", async () => {
  await using service = await startService();
  const nobody = await service.open();
  for (const method of ["login", "logout"]) {
    const message = "token: expected the token of a user, it is missing";
    assertEquals((await nobody.rpc(method, {})).error, { code: 4, message });
    assertEquals((await service.rpc(method, { mixer: 9 })).error.code, 6);
  }
});
