/** `getaudit`: the lines of the audit trail for admins (decisions.md, "Audit"). */
import { assertEquals } from "@std/assert";
import type { AuditLine, AuditQuery } from "../../../core/audit-query.ts";
import { refuse } from "../../../core/errors.ts";
import { startService } from "../../service.ts";

const line: AuditLine = {
  at: "2027-01-31T09:12:04.120Z",
  user: "anna",
  from: "192.0.2.7",
  what: "set",
  changes: [{ path: "/audio/mixers/0/faders/0/fader", before: -160, after: -12 }],
};

Deno.test("getaudit answers the lines of the audit trail that match its parameters", async () => {
  const asked: AuditQuery[] = [];
  await using service = await startService({
    readAudit: (query) => Promise.resolve(asked.push(query) ? [line] : []),
  });
  const given = { user: "anna", path: "/audio", outcome: "done", limit: 7 };
  const since = "2027-01-31T10:00:00+01:00";
  const { payload } = await service.rpc("getaudit", { ...given, since });
  assertEquals(payload.result, [line]);
  await service.rpc("getaudit", {});
  assertEquals(asked, [
    { ...given, outcome: "done", since: Date.parse("2027-01-31T09:00:00Z") },
    { limit: 100 },
  ]);
});

Deno.test("an invalid instant is error 3", async () => {
  await using service = await startService();
  const { error } = await service.rpc("getaudit", { until: "2027-02-30T10:00:00Z" });
  assertEquals(error, {
    code: 3,
    message: 'until: expected an instant like 2027-01-31T18:00:00Z, got "2027-02-30T10:00:00Z"',
  });
});

Deno.test("without an audit trail, or with an unreadable one, getaudit is error 6", async () => {
  await using without = await startService({ readAudit: undefined });
  const { error } = await without.rpc("getaudit", {});
  assertEquals(error, { code: 6, message: "there is no audit trail" });
  const fault = refuse("noSuchObject", "the audit trail could not be read: no");
  await using failing = await startService({ readAudit: () => Promise.resolve(fault) });
  assertEquals((await failing.rpc("getaudit", {})).error, fault);
});
