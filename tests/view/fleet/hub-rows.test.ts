import { assertEquals } from "@std/assert";
import { hubRowOf } from "../../../view/fleet/hub-rows.ts";
import { fleetHubsTexts } from "../../../view/texts/fleet-hubs.ts";

const english = fleetHubsTexts((text) => text);
const german = fleetHubsTexts((_, text) => text);
const timeOf = (instant: string) => instant.slice(0, 10);
const id = "0123456789abcdef0123456789abcdef";

Deno.test("the row of a hub has its name, its version, its start, and the number of its consoles", () => {
  const hub = { id, here: true, consoles: 1, name: "hub-a", version: "1.2.3" };
  const row = hubRowOf({ ...hub, since: "2026-01-01T00:00:00Z", stores: true }, english, timeOf);
  assertEquals(row, {
    id,
    name: "hub-a",
    here: true,
    facts: "faderd 1.2.3 · runs since 2026-01-01 · id 01234567",
    connected: "1 console connected",
    ledger: "its ledger stores changes",
    isBad: false,
  });
});

Deno.test("a hub whose ledger did not store is marked, and a hub that reports no facts has its id", () => {
  const hub = { id, here: false, consoles: 2 };
  const bad = hubRowOf({ ...hub, name: "hub-b", stores: false }, german, timeOf);
  assertEquals([bad.isBad, bad.ledger, bad.connected], [
    true,
    "speichert jetzt keine Änderungen",
    "2 Pulte verbunden",
  ]);
  const older = hubRowOf(hub, english, timeOf);
  assertEquals([older.name, older.facts, older.isBad], ["01234567", "id 01234567", false]);
  assertEquals(older.ledger, "it has an earlier version, which reports nothing more");
});
