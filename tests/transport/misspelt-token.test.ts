/** A token in a wrong place is in no answer of an action, and in no error. */
import { assert, assertEquals } from "@std/assert";
import { actions } from "../../transport/action-api/actions.ts";
import { act, actionForms, formFile, startService, tokens, unlimitedWith } from "../service.ts";

const token = tokens.admin;
/** The parts of the token that no answer may contain. */
const SECRET = /aaaaaaaa-0|00000000-0000/i;

const names = ["token", "TOKEN", "Tokn", "Toke", "tok en", "auth", "Name", "ObjectID", "Tags", "a"];
const values = [token, token.toUpperCase(), `Bearer ${token}`, ` ${token}`];

Deno.test("a token under another name is not echoed", async () => {
  await using service = await startService({ configuration: unlimitedWith() });
  for (const [at, action] of [...actions.keys(), "nosuch"].entries()) {
    for (const [index, name] of names.entries()) {
      const form = actionForms[index % actionForms.length]!;
      const value = values[(index + at) % values.length]!;
      const { text } = await act(service, action, { [name]: value }, form);
      assert(!SECRET.test(text), `${action} ${name}=${value} by ${form}: ${text}`);
    }
  }
});

Deno.test("the other parameters are echoed beside it", async () => {
  await using service = await startService({ configuration: unlimitedWith() });
  const given = {
    ObjectID: 1,
    Name: "News",
    Tokn: token,
    other: ["x", `y ${token} z`],
    [token]: 1,
  };
  const { json } = await act(service, "setgloballabel", given);
  const { Action: _, Debug: __, ...echoed } = json;
  assertEquals(echoed, {
    ObjectID: 1,
    Name: "News",
    Tokn: "***",
    other: ["x", "y *** z"],
    "***": "1",
  });
});

Deno.test("a token in the name of an action or of a file, in a path or in a message is not echoed", async () => {
  await using service = await startService({ configuration: unlimitedWith() });
  const file = formFile("no picture", `${token}.png`);
  const answers = [
    (await act(service, token)).text,
    (await act(service, "setgloballabel", { ObjectID: 1, Token: [token, token] })).text,
    (await act(service, "setgloballabel", { ObjectID: 1, Token: `${token}0` })).text,
    await (await fetch(`${service.url}/action/login?Token=${token}%zz`)).text(),
    (await act(service, "updatepic", { ObjectID: 1, file }, "multipart")).text,
    (await act(service, "restore", { Tags: "ALL", Token: token, file }, "multipart")).text,
    await (await fetch(`${service.url}/${token}`)).text(),
    await (await fetch(`${service.url}/pictures/${token}`)).text(),
    await (await fetch(`${service.url}/api/rest/${token}`)).text(),
    await (await fetch(`${service.url}/api/rest/general/${token}?set=1`)).text(),
    JSON.stringify((await service.post({ method: "set", path: "/audio", payload: token })).error),
    JSON.stringify((await service.rpc("loadsnapshot", { id: token })).error),
    JSON.stringify((await service.rpc("fadetovalue", { fader: token })).error),
  ];
  for (const text of answers) assert(!SECRET.test(text), text);
});
