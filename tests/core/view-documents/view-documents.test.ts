/** View documents: rights, revisions and limits (ours). */
import { assert, assertEquals } from "@std/assert";
import { isRefusal } from "../../../core/errors.ts";
import { VIEW_DOCUMENT_BYTES, VIEW_DOCUMENTS } from "../../../core/limits.ts";
import { addUser } from "../../../core/users/adduser.ts";
import {
  type SetViewDocument,
  setViewDocument,
} from "../../../core/view-documents/setviewdocument.ts";
import { tellViewDocument } from "../../../core/view-documents/view-document.ts";
import { result, type TestConsole, testConsole } from "../../service.ts";
import { actor, codeOf, refusalOf } from "../actors.ts";
import { recordingStore } from "../stores.ts";

/** A console, with `write` (as an admin) and `read` for its view documents. */
async function desk(options: TestConsole = {}) {
  const console = await testConsole(options);
  const by = actor(console, "admin");
  const write = async (document: SetViewDocument["document"], more = {}) => {
    const outcome = await console.dispatch(setViewDocument({ name: "a", document, ...more }), by);
    return isRefusal(outcome) ? outcome.message : outcome.result.revision;
  };
  const read = (name = "a") => tellViewDocument(console.state.viewDocuments, name);
  return { console, by, write, read };
}

Deno.test("a document is read as it was written; an unknown document is null, with revision 0", async () => {
  const { write, read } = await desk();
  assertEquals(read(), { name: "a", revision: 0, document: null });
  const document = { title: "é", items: [1, null, { x: true }] };
  assertEquals(await write(document), 1);
  assertEquals(read(), { name: "a", revision: 1, document });
  assertEquals(read("b").document, null);
});

Deno.test("each change has a new revision, unique among all documents, also after a removal", async () => {
  const { write, read } = await desk();
  assertEquals(await write({ one: 1 }), 1);
  assertEquals(await write({ two: 2 }, { name: "b" }), 2);
  assertEquals(await write(null), 0);
  assertEquals(read(), { name: "a", revision: 0, document: null });
  assertEquals(await write({ one: 1 }), 4);
});

Deno.test("a write with another revision than that in force is refused, and the message names both", async () => {
  const { console, write } = await desk();
  await write({ one: 1 });
  await write({ two: 2 });
  const { state } = console;
  const sentence = "revision: expected 2, the revision of a in force, got 1";
  assertEquals(await write({ three: 3 }, { revision: 1 }), sentence);
  assertEquals(await write({ two: 2 }, { revision: 1 }), sentence, "equal or not");
  assert(console.state === state);
  assertEquals(await write({ three: 3 }, { revision: 2 }), 3);
  assertEquals(await write({ one: 1 }, { name: "b", revision: 0 }), 4);
});

Deno.test("a write of an equal document is not stored, and keeps the revision", async () => {
  const store = recordingStore();
  const { write } = await desk({ store });
  const before = store.records.length;
  await write({ one: 1 });
  assertEquals(await write({ one: 1 }), 1);
  assertEquals(store.records.length, before + 1);
  assertEquals(await write(null, { name: "b" }), 0);
  assertEquals(store.records.length, before + 1, "what is not there is removed already");
});

Deno.test("a write needs the right to configure: 5 for other users, 4 without a token", async () => {
  const { console } = await desk({ configuration: { mixers: [], anonymous: "view" } });
  for (const may of ["view", "operate", "configure"] as const) {
    await result(console, addUser({ name: may, groups: 1, admin: false, may }));
  }
  const command = setViewDocument({ name: "a", document: {} });
  const codes = { nobody: 4, view: 5, operate: 5, configure: 0, admin: 0 };
  for (const [who, code] of Object.entries(codes)) {
    assertEquals(await codeOf(console, command, actor(console, who)), code, who);
  }
  const { message } = await refusalOf(console, command, actor(console, "operate"));
  assertEquals(
    message,
    "user operate may only operate, and writing a view document needs the right to configure",
  );
});

Deno.test("a document has at most 64 KiB of JSON, and there are at most 16 documents", async () => {
  const { console, write } = await desk();
  const around = JSON.stringify({ a: "" }).length;
  const most = "é".repeat((VIEW_DOCUMENT_BYTES - around) / 2);
  assertEquals(await write({ a: most }), 1);
  const { state } = console;
  assertEquals(
    await write({ a: `${most}x` }),
    `document: expected at most ${VIEW_DOCUMENT_BYTES} bytes of JSON, got ${
      VIEW_DOCUMENT_BYTES + 1
    }`,
  );
  assert(console.state === state);
  for (let at = 1; at < VIEW_DOCUMENTS; at++) await write({}, { name: `n${at}` });
  assertEquals(
    await write({}, { name: "more" }),
    "name: there are 16 view documents already: remove one first",
  );
  assertEquals(typeof await write({ b: 1 }), "number", "one that is there is changed");
  assertEquals(await write(null), 0);
  assertEquals(typeof await write({}, { name: "more" }), "number");
});
