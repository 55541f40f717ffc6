/**
 * Every parameter of every REST action, given every kind of bad value: an Error, nothing changed.
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import {
  act,
  type ActionForm,
  actionForms,
  type ActionParameters,
  formFile,
  startService,
  stillClock,
  type TestService,
  tokens,
  unlimitedWith,
} from "../service.ts";
import { packed } from "../core/backup/archives.ts";
import { smallPng } from "../core/pictures/made-png.ts";
import { actions } from "../../transport/action-api/actions.ts";

/** Stands for the right value, to be sent as a repeated parameter. */
const TWICE = Symbol("the right value, twice");

const bad = {
  missing: undefined,
  empty: "",
  float: "1.5",
  negative: "-1",
  "1e9": "1e9",
  "1e9 in digits": "1000000000",
  "2^53": "9007199254740992",
  text: "Fader",
  NUL: "\0",
  emoji: "😀",
  repeated: TWICE,
} as const;

type Kind = keyof typeof bad;

const someText: readonly Kind[] = [
  "float",
  "negative",
  "1e9",
  "1e9 in digits",
  "2^53",
  "text",
  "emoji",
];

/** The kinds of values that are valid for a parameter, and why. */
const fine: Readonly<Record<string, readonly Kind[]>> = {
  // A label is any text without control characters; an empty one resets it.
  "setgloballabel.Name": ["empty", ...someText],
  "setchannellabel.Name": ["empty", ...someText],
  // The name of a snapshot is optional and any text; an empty one counts as absent.
  "savemx.Name": ["missing", "empty", ...someText],
  "savech.Name": ["missing", "empty", ...someText],
  // The token is optional, except to write snapshots; an empty one counts as absent.
  ...Object.fromEntries(
    [...actions.values()].filter(({ name, token }) =>
      token === "optional" && !/^save|^up.*snap$/.test(name)
    )
      .map(({ name }) => [`${name}.Token`, ["missing", "empty"] as const]),
  ),
};

/** Valid parameters of every action. */
async function rightParameters(service: TestService): Promise<Record<string, ActionParameters>> {
  const Token = tokens.admin;
  const fileOf = async (name: string) =>
    formFile((await act(service, name, { SnapshotID: 1, Token })).text, "right.sfp");
  return {
    setgloballabel: { ObjectID: 1, Name: "New", Token },
    getgloballabel: { ObjectID: 1, Token },
    setchannellabel: { ObjectID: 1, Name: "New", Token },
    updatepic: { ObjectID: 1, file: formFile(smallPng), Token },
    login: { ObjectID: 0, Token },
    logout: { ObjectID: 0, Token },
    loadmx: { ObjectID: 0, SnapshotID: 1, Token },
    loadch: { ObjectID: 1, SnapshotID: 1, Token },
    savemx: { ObjectID: 0, SnapshotID: 5, Name: "New", Token },
    savech: { ObjectID: 1, SnapshotID: 5, Name: "New", Token },
    uploadmxsnap: { SnapshotID: 6, file: await fileOf("downloadmxsnap"), Token },
    uploadchsnap: { SnapshotID: 6, file: await fileOf("downloadchsnap"), Token },
    downloadmxsnap: { SnapshotID: 1, Token },
    downloadchsnap: { SnapshotID: 1, Token },
    backup: { Tags: "TLS", Token },
    restore: {
      file: formFile(await packed(service.console.state, ["TLS"]), "a.bin"),
      Tags: "TLS",
      Token,
    },
  };
}

/** A bad value in each form of a parameter: as text, and for a file also as its content. */
function sent(kind: Kind, parameter: string, right: ActionParameters): ActionParameters[string][] {
  const value = bad[kind];
  if (value === TWICE) return [[right[parameter], right[parameter]] as ActionParameters[string]];
  if (value === undefined || parameter !== "file") return [value];
  return [value, formFile(value, (right.file as File).name)];
}

for (const { name, methods, parameters } of actions.values()) {
  Deno.test(`${name}: a bad value is status 200, an Error that names the parameter, and changes nothing`, async () => {
    const configuration = unlimitedWith();
    await using service = await startService({ clock: stillClock(), configuration });
    const right = (await rightParameters(service))[name]!;
    assertEquals(
      Object.keys(right),
      [...Object.keys(parameters.entries), "Token"],
      "every parameter",
    );
    const forms: readonly ActionForm[] = "file" in right
      ? ["multipart"]
      : actionForms.filter((form) => form !== "GET" || methods.includes("GET"));

    for (const form of forms) {
      for (const parameter of Object.keys(right)) {
        for (const kind of Object.keys(bad) as Kind[]) {
          for (const value of sent(kind, parameter, right)) {
            const what = `${name}.${parameter} ${kind} by ${form}`;
            const { state } = service.console;
            const given = { ...right, [parameter]: value };
            const { status, json } = await act(service, name, given, form);
            assertEquals(status, 200, what);
            if (fine[`${name}.${parameter}`]?.includes(kind)) {
              assertEquals(json?.Error, undefined, what);
              continue;
            }
            assertStringIncludes(String(json?.Error), parameter, what);
            assertEquals(json.Action, name, what);
            assert(service.console.state === state, `${what} changed the state`);
          }
        }
      }
      const answer = await act(service, name, right, form);
      assertEquals([answer.status, answer.json?.Error], [200, undefined], "the right values are");
    }
  });
}

Deno.test("an unknown parameter is echoed and ignored, whatever its value", async () => {
  await using service = await startService({ configuration: unlimitedWith() });
  for (const form of actionForms) {
    const more = { Volume: "\0", objectid: "x", token: "secret", __proto__x: ["1", "2"] };
    const { json } = await act(service, "setgloballabel", {
      ObjectID: 1,
      Name: "New",
      ...more,
    }, form);
    assertEquals([json.Error, json.Volume, json.objectid], [undefined, "\0", "x"]);
    assertEquals([json.token, json.__proto__x], ["***", ["1", "2"]]);
  }
});
