/** `restApi.writesByGet`: with false a request by an image in a page cannot write. */
import { assert, assertEquals } from "@std/assert";
import { actions } from "../../transport/action-api/actions.ts";
import { act, demoWith, startService, tokens, unlimitedWith } from "../service.ts";

const closed = unlimitedWith({ restApi: { writesByGet: false } });

/** The actions that change nothing. */
const reading = ["getgloballabel", "downloadmxsnap", "downloadchsnap", "backup"];

const fader = "/api/rest/audio/mixers/0/faders/0/fader";

Deno.test("by default a GET may write", async () => {
  await using service = await startService({ configuration: unlimitedWith() });
  assertEquals(await (await fetch(`${service.url}${fader}?set=-20`)).json(), -20);
  const { json } = await act(service, "setgloballabel", { ObjectID: 1, Name: "News" });
  assertEquals(json.Error, undefined);
});

Deno.test("with writesByGet false GET ?set= is 405 with Allow: POST, for any caller, and nothing changes", async () => {
  await using service = await startService({ configuration: closed });
  const { state } = service.console;
  for (const query of ["set=-20", "set=", `set=-20&token=${tokens.admin}`, "set=-20&flat=true"]) {
    const response = await fetch(`${service.url}${fader}?${query}`);
    assertEquals([query, response.status, response.headers.get("allow")], [query, 405, "POST"]);
    const { error } = await response.json();
    assertEquals(error, { code: 1, message: "method: expected POST to write, got GET" });
  }
  assert(service.console.state === state);
  assertEquals((await fetch(service.url + fader)).status, 200);
  const message = { method: "set", path: "/audio/mixers/0/faders/0/fader", payload: -20 };
  assertEquals((await service.post(message)).payload, -20);
});

Deno.test("with writesByGet false a GET of an action that writes is 405, a POST is not", async () => {
  await using service = await startService({ configuration: closed });
  const parameters = { ObjectID: 1, SnapshotID: 1, Name: "N", Tags: "SNMP", Token: tokens.admin };
  for (const name of actions.keys()) {
    const reads = reading.includes(name);
    const { state } = service.console;
    const { status, headers, json } = await act(service, name, parameters);
    assertEquals([status, headers.get("allow")], reads ? [200, null] : [405, "POST"], name);
    if (!reads) assertEquals(json.Error, "expected POST, got GET");
    assert(service.console.state === state, name);
    assertEquals((await act(service, name, parameters, "urlencoded")).status, 200, name);
  }
});

Deno.test("a GET that is refused for its method counts for the rate limit as any other", async () => {
  const restApi = { writesByGet: false };
  await using service = await startService({
    configuration: demoWith({ restApi, limits: { rest: { burst: 1 } } }),
  });
  const parameters = { ObjectID: 1, Name: "N" };
  assertEquals((await act(service, "setgloballabel", parameters)).status, 405);
  assertEquals((await act(service, "setgloballabel", parameters, "urlencoded")).status, 423);
});
