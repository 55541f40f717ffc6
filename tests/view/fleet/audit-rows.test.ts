import { assertEquals } from "@std/assert";
import { type AuditLine, auditRowOf, foundLines } from "../../../view/fleet/audit-rows.ts";
import { fleetAuditTexts } from "../../../view/texts/fleet-audit.ts";
import { fleetUsersTexts } from "../../../view/texts/fleet-users.ts";

const KNOWN = "0".repeat(31) + "1";
const UNKNOWN = "f".repeat(32);

const words = {
  audit: fleetAuditTexts((text) => text),
  own: fleetUsersTexts((text) => text),
  timeOf: (instant: string) => instant.slice(0, 10),
  nameOf: (id: string) => id === KNOWN ? "Studio 1" : id,
};

const row = (what: string, target?: unknown, more: Partial<AuditLine> = {}) =>
  auditRowOf({
    ...{ time: "2026-01-01T00:00:00.000Z", user: "anna", from: "10.0.0.7", what },
    ...(target === undefined ? {} : { target }),
    ...more,
  }, words);

const told = (what: string, target?: unknown) => {
  const { call, target: text } = row(what, target);
  return text === "" ? call : `${call}: ${text}`;
};

Deno.test("a line shows its call in plain words, and consoles by their names", () => {
  assertEquals(told("makecode"), "Make a code for a console");
  assertEquals(told("approve", KNOWN), "Approve a console: Studio 1");
  assertEquals(told("uplink", UNKNOWN), `Connect a console: ${UNKNOWN}`);
  assertEquals(
    told("set", `/consoles/${KNOWN}/audio/mixers/0/_name`),
    "Set a value: Studio 1: /audio/mixers/0/_name",
  );
  assertEquals(
    told("savetemplate", { name: "Talk", console: KNOWN, sections: ["labels"] }),
    'Save a template: name "Talk", console "Studio 1", sections ["labels"]',
  );
  assertEquals(
    told("enrol", { id: KNOWN, name: "Old name", site: "Berlin" }),
    `Enrol a console: id "${KNOWN}", name "Old name", site "Berlin"`,
  );
});

Deno.test("a line of a user shows the rights in plain words", () => {
  assertEquals(
    told("adduser", { name: "ben", may: "view" }),
    "Add a user: ben: view on all consoles",
  );
  assertEquals(
    told("modifyuser", { name: "ben", rights: [{ console: KNOWN, may: "operate" }] }),
    "Change a user: ben: operate on Studio 1, no right elsewhere",
  );
  assertEquals(told("removeuser", "ben"), "Remove a user: ben");
});

Deno.test("a line that a console has reported names the console, and what changed there", () => {
  const text = (more: Partial<AuditLine>) =>
    row("set", undefined, { console: KNOWN, ...more }).target;
  const path = "/audio/mixers/0/faders/0/fader";
  assertEquals(
    text({ changes: [{ path, before: -160, after: 0 }, { path: "/users/ben", after: {} }] }),
    `Studio 1: ${path} -160 → 0; /users/ben – → {}`,
  );
  assertEquals(
    text({ subject: "Morning", changes: [{ path: "/a" }], more: 7, durable: false }),
    "Studio 1: Morning; /a – → –; and 7 more; not stored",
  );
  assertEquals(text({ target: path, refused: "no", again: 3 }), `Studio 1: ${path}; 3 times more`);
  assertEquals(
    text({ target: { number: 1 }, lost: 2 }),
    'Studio 1: {"number":1}; 2 lines before it are missing',
  );
  assertEquals(text({}), "Studio 1");
  const rows = [row("set", undefined, { console: KNOWN }), row("makecode")];
  assertEquals(foundLines(rows, KNOWN), [rows[0]!]);
});

Deno.test("a line without a user is nobody's, or, if a console has reported it, of several users", () => {
  const user = (more: Partial<AuditLine>) => {
    const { user: _, ...line } = {
      time: "2026-01-01T00:00:00.000Z",
      from: "",
      what: "set",
      ...more,
    };
    return auditRowOf(line, words).user;
  };
  assertEquals(row("set").user, "anna");
  assertEquals(user({}), "nobody");
  assertEquals(user({ console: KNOWN, what: "other changes", again: 12 }), "several users");
});

Deno.test("one further call, and one missing line, are written in the singular", () => {
  const { target } = row("set", undefined, { console: KNOWN, again: 1, lost: 1 });
  assertEquals(target, "Studio 1: once more; 1 line before it is missing");
});

Deno.test("a call of a later hub keeps its name, and what it was about", () => {
  assertEquals(told("toString", 7), "toString: 7");
  assertEquals(told("fleetnew", null), "fleetnew: null");
});

Deno.test("a line is found by words of its call, its user, its refusal and the id of its console", () => {
  const rows = [
    row("approve", KNOWN),
    row("remove", UNKNOWN, { user: "ben", refused: "user ben is not an admin" }),
    row("fleetdo", { request: "rpc loadsnapshot", consoles: 3 }, { from: "10.9.9.9" }),
  ];
  const found = (text: string) => foundLines(rows, text).map((row) => rows.indexOf(row));
  assertEquals(found(""), [0, 1, 2]);
  assertEquals(found("studio ANNA 2026-01-01"), [0]);
  assertEquals(found(KNOWN), [0]);
  assertEquals(found("not an admin"), [1]);
  assertEquals(found("loadsnapshot 10.9"), [2]);
  assertEquals(found("nowhere"), []);
  assertEquals(found("null"), []);
});
