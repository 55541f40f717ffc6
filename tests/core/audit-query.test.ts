/** The conditions that choose lines of the audit trail (RPC `getaudit`). */
import { assertEquals } from "@std/assert";
import { auditFilter, type AuditLine, type AuditQuery } from "../../core/audit-query.ts";

const FADER = "/audio/mixers/0/faders/1";
const refused = { code: 5, message: "no" } as const;

/** Lines of the audit trail, each under a name for the tests. */
const lines: Readonly<Record<string, AuditLine>> = {
  morning: {
    at: "2027-01-31T09:00:00.000Z",
    user: "anna",
    what: "set",
    changes: [{ path: "/audio/pots/1/value" }, { path: `${FADER}/fader`, before: 0, after: 1 }],
  },
  noon: {
    at: "2027-01-31T12:00:00.000Z",
    what: "set",
    changes: [{ path: "/audio/mixers/0/faders/12/fader" }],
  },
  path: { at: "2027-01-31T12:00:00.001Z", user: "carl", what: "set", target: FADER, refused },
  slashless: { at: "2027-01-31T12:00:00.002Z", what: "set", target: FADER.slice(1), refused },
  fader: {
    at: "2027-01-31T12:00:00.003Z",
    user: "carl",
    what: "fadetovalue",
    target: { fader: 1, value: 3 },
    refused,
  },
  otherMixer: {
    at: "2027-01-31T12:00:00.004Z",
    user: "carl",
    what: "fadetovalue",
    target: { fader: 1, mixer: 2 },
    refused,
  },
  counted: { at: "2027-01-31T12:01:00.000Z", user: "carl", what: "other changes", again: 7 },
};

function askedFor(query: Omit<AuditQuery, "limit">): string {
  const filter = auditFilter({ ...query, limit: 1 });
  return Object.keys(lines).filter((name) => filter(lines[name]!)).join(" ");
}

const ALL = Object.keys(lines).join(" ");

Deno.test("without a condition every line is asked for", () => {
  assertEquals(askedFor({}), ALL);
});

Deno.test("a line at the instant of since is included, one at the instant of until is not", () => {
  const noon = Date.parse("2027-01-31T12:00:00Z");
  assertEquals(askedFor({ until: noon }), "morning");
  assertEquals(askedFor({ since: noon, until: noon + 2 }), "noon path");
});

Deno.test("an offset may put since and until into the year 10000", () => {
  const late = Date.parse("9999-12-31T23:59:59-05:00");
  assertEquals([askedFor({ until: late }), askedFor({ since: late })], [ALL, ""]);
});

Deno.test("user chooses the lines of a user by name; the empty name stands for callers without a login", () => {
  assertEquals(askedFor({ user: "anna" }), "morning");
  assertEquals(askedFor({ user: "ann" }), "");
  assertEquals(askedFor({ user: "" }), "noon slashless");
});

Deno.test("path chooses changes and refusals at that path or below it", () => {
  const ofFader = "morning path slashless fader";
  for (const path of [FADER, `${FADER}/`, FADER.slice(1)]) {
    assertEquals(askedFor({ path }), ofFader, path);
  }
  assertEquals(askedFor({ path: `${FADER}/fader` }), "morning");
  assertEquals(askedFor({ path: "/audio/mixers/0/faders" }), `morning noon path slashless fader`);
  assertEquals(askedFor({ path: "/audio/mixers/2" }), "otherMixer");
  assertEquals(askedFor({ path: "/" }), ALL.replace(" counted", ""));
});

Deno.test("outcome chooses changes or refusals; lines that only count have no outcome", () => {
  assertEquals(askedFor({ outcome: "done" }), "morning noon");
  assertEquals(askedFor({ outcome: "refused" }), "path slashless fader otherMixer");
});

Deno.test("all conditions apply together", () => {
  assertEquals(askedFor({ user: "carl", path: FADER, outcome: "refused" }), "path fader");
});
