/** The ledger in JetStream: three servers of Debian's package on the loopback. */
import { createConnection } from "node:net";
import { assertEquals, assertRejects } from "@std/assert";
import { type Ledger, LedgerError } from "../../../fleet/ledger/ledger.ts";
import { observeLedger } from "../../../fleet/ledger/observed-ledger.ts";
import { openLine } from "../../../fleet/nats/connection.ts";
import { openNats } from "../../../fleet/nats/open.ts";
import { jetstreamManager } from "../../../fleet/nats/packages.ts";
import { streamNames } from "../../../fleet/nats/streams.ts";
import { ledgerContract } from "../ledger-contract.ts";
import { entriesOf } from "../ledger-entries.ts";
import { isMissing, isTaken, type Servers, startServers } from "./servers.ts";

let servers: Servers;
let count = 0;

/** Opens the ledger of an organisation. */
async function open(
  organisation: string,
  { urls } = servers,
  onState: (state: "lost" | "back") => void = () => {},
): Promise<Ledger> {
  const { ledger } = await openNats({
    servers: urls,
    name: "test",
    organisation,
    replicas: urls.length,
    allowOldServer: true,
    onFault(fault) {
      throw fault;
    },
    onState,
  });
  return ledger;
}

if (!isMissing) {
  Deno.test.beforeAll(async () => {
    servers = await startServers(3);
  });
  Deno.test.afterAll(() => servers[Symbol.asyncDispose]());

  ledgerContract("nats", async (test) => {
    const ledger = await open(`Radio ${++count}`);
    try {
      await test(ledger);
    } finally {
      await ledger.close();
    }
  });

  const OLD = "a server too old to sync before it acknowledges is refused, with the reason";
  Deno.test(OLD, { ignore: isTaken() }, async () => {
    const hub = { name: "test", organisation: "x", onFault() {} };
    const given = { ...hub, servers: servers.urls, replicas: 3 };
    const fault = await assertRejects(() => openNats(given), Error);
    assertEquals(fault.message.includes("expected nats-server 2.10.27 or later"), true);
  });

  Deno.test("while each server is killed in turn, every acknowledged write is stored once, and a watcher misses no change", async () => {
    const writer = await open("Faults");
    const reader = await open("Faults");
    const heard = new Map<string, unknown>();
    const watching = (async () => {
      for await (const told of reader.watch("users")) {
        if (told !== "current") heard.set(told.key, told.value);
      }
    })();
    const stored = new Map<string, number>();
    let longestMs = 0;
    for (const at of [0, 1, 2]) {
      await servers.kill(at);
      for (let round = 0; round < 40; round++) {
        const key = `user-${at}-${round}`;
        const from = performance.now();
        // The caller may repeat a refused write: the expected revision prevents a second one.
        while (!stored.has(key)) {
          try {
            stored.set(key, await writer.put("users", key, round, 0));
          } catch (fault) {
            if (!(fault instanceof LedgerError)) throw fault;
            if (fault.code === "conflict") stored.set(key, -1);
          }
        }
        longestMs = Math.max(longestMs, performance.now() - from);
      }
      await writer.remove("users", `user-${at}-7`);
      stored.delete(`user-${at}-7`);
      servers.start(at);
      await servers.ready();
    }
    await writer.put("users", "last", 1);
    while (heard.get("last") !== 1) await new Promise((resolve) => setTimeout(resolve, 50));
    const known = [...heard].filter(([, value]) => value !== undefined).map(([key]) => key);
    assertEquals(new Set(known), new Set([...stored.keys(), "last"]));
    assertEquals((await entriesOf(writer, "users")).length, stored.size + 1);
    assertEquals(longestMs < 15_000, true, `writes stood still for ${longestMs} ms`);
    await writer.close();
    await reader.close();
    await watching;
  });

  Deno.test("a value that is no JSON, which no hub has stored, does not end the watching of the others", async () => {
    const organisation = "Not JSON";
    const ledger = await open(organisation);
    await ledger.put("users", "anna", 1);
    const line = await openLine({ servers: servers.urls, name: "test", allowOldServer: true });
    const heard: unknown[] = [];
    const watching = (async () => {
      for await (const told of ledger.watch("users")) {
        if (told === "current") {
          line.connection.publish(`${streamNames(organisation).subject("users")}broken`, "no JSON");
          await line.connection.flush();
          await ledger.put("users", "ben", 2);
        } else if (told.value !== undefined) heard.push(`${told.key} ${told.value}`);
        if (heard.length === 2) return;
      }
    })();
    await watching;
    assertEquals(heard, ["anna 1", "ben 2"]);
    assertEquals((await entriesOf(ledger, "users")).map(({ key }) => key), ["anna", "ben"]);
    await line.close();
    await ledger.close();
  });

  Deno.test("a change that no server has answered is told as unanswered, for it may have been stored", async () => {
    await using one = await startServers(1);
    const ledger = await open("Silent", one);
    await ledger.put("users", "anna", 1);
    await one.pause(0);
    const fault = await assertRejects(() => ledger.put("users", "bob", 1), LedgerError);
    assertEquals(fault.code, "unanswered");
    one.goOn(0);
    // The change is stored nevertheless: the server reads it from its connection once it goes on.
    while ((await entriesOf(ledger, "users")).length < 2) {
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await ledger.close();
  });

  Deno.test("a change that no server could be given is told as unavailable", async () => {
    const lost = Promise.withResolvers<void>();
    await using one = await startServers(1);
    const ledger = await open("Gone at once", one, () => lost.resolve());
    const observed = observeLedger(ledger);
    assertEquals(observed.isStoring, true);
    await one.kill(0);
    await lost.promise;
    assertEquals(observed.isStoring, false, "the hub does not have to write for that");
    const fault = await assertRejects(() => ledger.put("users", "anna", 1), LedgerError);
    assertEquals(fault.code, "unavailable");
    await ledger.close();
  });

  Deno.test("a change whose part of the ledger no server leads is refused with that reason", async () => {
    const ledger = await open("Deleted");
    const line = await openLine({ servers: servers.urls, name: "test", allowOldServer: true });
    const manager = await jetstreamManager(line.connection);
    await manager.streams.delete(streamNames("Deleted").bucket("users"));
    const fault = await assertRejects(() => ledger.put("users", "anna", 1), LedgerError);
    const why = "no server leads this part of the ledger now, or it has no such stream";
    assertEquals(
      [fault.code, fault.message],
      ["unavailable", `the ledger did not take it: ${why}`],
    );
    await line.close();
    await ledger.close();
  });

  Deno.test("a value that is longer than the servers take is refused, for it was never sent", async () => {
    const ledger = await open("Long");
    const value = "x".repeat(2 ** 20);
    const fault = await assertRejects(() => ledger.put("users", "anna", value), LedgerError);
    const why = "it is longer than the servers of NATS take (max_payload)";
    assertEquals(
      [fault.code, fault.message],
      ["unavailable", `the ledger did not take it: ${why}`],
    );
    await ledger.close();
  });

  Deno.test("a hub that a server lets in no more for some seconds is connected again when it may", async () => {
    const states: string[] = [];
    await using one = await startServers(1);
    const ledger = await open("Locked out", one, (state) => states.push(state));
    await ledger.put("users", "anna", 1);
    for (let round = 1; round <= 2; round++) {
      one.lock(0, true);
      // The driver tries again several times a second, and is refused each time.
      await new Promise((resolve) => setTimeout(resolve, 2000));
      one.lock(0, false);
      while (states.filter((state) => state === "back").length < round) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    }
    await ledger.put("users", "anna", 2);
    await ledger.close();
  });

  Deno.test("a late write of the driver to a socket that has ended does not end the hub", async () => {
    await using one = await startServers(1);
    const ledger = await open("Late write", one);
    // As the driver does after a refusal, but at a time that a test can choose.
    const socket = createConnection(Number(one.urls[0]!.split(":").at(-1)), "127.0.0.1");
    await new Promise((resolve) => socket.once("connect", resolve));
    const isClosed = new Promise((resolve) => socket.once("close", resolve));
    socket.end();
    socket.write("PING\r\n");
    await isClosed;
    await ledger.put("users", "anna", 1);
    await ledger.close();
  });

  Deno.test("the close of a ledger waits 1 s at most for servers that have no majority", async () => {
    await using three = await startServers(3);
    const ledger = await open("No majority", three);
    await ledger.put("users", "anna", 1);
    await three.kill(0);
    await three.kill(1);
    const writes = [1, 2, 3].map((value) => ledger.put("users", "anna", value));
    const refused = Promise.allSettled(writes);
    const from = performance.now();
    await ledger.close();
    assertEquals(performance.now() - from < 5000, true);
    assertEquals(new Set((await refused).map(({ status }) => status)), new Set(["rejected"]));
  });

  Deno.test("the close of a ledger without a server does not wait for a write", async () => {
    const lost = Promise.withResolvers<void>();
    await using one = await startServers(1);
    const ledger = await open("Gone", one, () => lost.resolve());
    await one.kill(0);
    await lost.promise;
    const refused = assertRejects(() => ledger.put("users", "anna", 1), LedgerError, "is closed");
    await ledger.close();
    await refused;
  });
}
