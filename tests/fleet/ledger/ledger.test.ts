import { assertEquals, assertRejects } from "@std/assert";
import { STORAGE_RETRY_MS } from "../../../core/limits.ts";
import { openFilesLedger } from "../../../fleet/ledger/files.ts";
import { AUDIT_ENTRIES } from "../../../fleet/ledger/kept-ledger.ts";
import { type Ledger, LedgerError } from "../../../fleet/ledger/ledger.ts";
import { openMemoryLedger } from "../../../fleet/ledger/memory.ts";
import { machine } from "../../../runtimes/clock.ts";
import { denoFileSystem } from "../../../runtimes/deno/file-system.ts";
import type { Condition } from "../../../storage/contract.ts";
import type { FileSystem, OpenFile } from "../../../storage/file-system.ts";
import { temporaryFolder } from "../../program/faderd.ts";
import { until } from "../../service.ts";
import { chanceOf } from "../../storage/random.ts";
import { createDisk } from "../../storage/simulated-disk.ts";
import { passingTime } from "../../timers.ts";
import { ledgerContract } from "../ledger-contract.ts";
import { entriesOf } from "../ledger-entries.ts";

const medium = { files: denoFileSystem, random: machine.random };

/** The kinds of ledgers, each with a function that opens an empty one for a test. */
const ledgers: Readonly<
  Record<string, (test: (ledger: Ledger) => Promise<void>) => Promise<void>>
> = {
  async memory(test) {
    await test(await openMemoryLedger());
  },
  async files(test) {
    await using folder = await temporaryFolder();
    const ledger = await openFilesLedger(`${folder.path}/hub`, medium);
    try {
      await test(ledger);
    } finally {
      await ledger.close();
    }
  },
};

for (const [kind, open] of Object.entries(ledgers)) ledgerContract(kind, open);

Deno.test("a ledger in files has the same entries after a restart, also after a checkpoint", async () => {
  await using folder = await temporaryFolder();
  const small = { ...medium, segmentBytes: 8192 };
  const one = await openFilesLedger(folder.path, small);
  for (let round = 0; round < 300; round++) {
    await Promise.all([
      one.put("users", `user-${round % 7}`, { round, padding: "x".repeat(100) }),
      one.append({ time: "t", user: "anna", from: "x", what: `round ${round}` }),
    ]);
  }
  await one.remove("users", "user-3");
  const before = await entriesOf(one, "users");
  const trail = await one.audit(AUDIT_ENTRIES);
  await one.close();

  const two = await openFilesLedger(folder.path, small);
  assertEquals(await entriesOf(two, "users"), before);
  assertEquals(await two.audit(AUDIT_ENTRIES), trail);
  const last = Math.max(...before.map(({ revision }) => revision));
  assertEquals(await two.put("users", "new", 1) > last, true);
  await two.close();
});

Deno.test("a ledger says that it may have stored a change whose failed write it could not undo", async () => {
  const disk = createDisk(chanceOf(1), { garbles: false });
  const simulated = { ...medium, files: disk.files };
  const ledger = await openFilesLedger("data", simulated);
  await ledger.put("users", "anna", 1);
  let isBroken = false;
  disk.faults = (operation) => {
    isBroken ||= operation === "sync";
    return isBroken ? "EIO" : undefined;
  };
  const fault = await assertRejects(() => ledger.put("users", "ben", 1), LedgerError);
  assertEquals(fault.code, "unanswered");
  disk.faults = () => undefined;
  disk.restart("kill");
  const again = await openFilesLedger("data", simulated);
  assertEquals((await entriesOf(again, "users")).map(({ key }) => key), ["anna", "ben"]);
  await again.close();
});

for (const how of ["removeFolder", "emptyFolder"] as const) {
  const what = how === "removeFolder" ? "removed" : "emptied";
  Deno.test(`a ledger whose folder was ${what} is stored anew once the folder is there again`, async () => {
    const disk = createDisk(chanceOf(1));
    const { timer, pass } = passingTime();
    const conditions: unknown[] = [];
    const onCondition = ({ state }: Condition) => void conditions.push(state);
    const simulated = { ...medium, files: disk.files, timer, onCondition };
    const ledger = await openFilesLedger("data", simulated);
    await ledger.put("users", "anna", 1);
    disk[how]();
    // For a large change the reserve is lengthened first.
    const large = "x".repeat(600_000);
    await assertRejects(
      () => ledger.put("users", "ben", large),
      LedgerError,
      "emptied, removed or replaced",
    );
    if (how === "removeFolder") {
      pass(STORAGE_RETRY_MS.most);
      await until(() => conditions.length === 2);
      await assertRejects(() => ledger.put("users", "ben", 1), LedgerError, "could not be opened");
      disk.makeFolder();
    }
    pass(STORAGE_RETRY_MS.most);
    await until(() => conditions.at(-1) === "ok");
    // The hub is killed before its next change.
    disk.restart("kill");
    const again = await openFilesLedger("data", simulated);
    assertEquals((await entriesOf(again, "users")).map(({ key }) => key), ["anna"]);
    await again.put("users", "ben", 1);
    await again.close();
  });
}

Deno.test("a ledger on a full medium refuses changes with the reason, and takes changes again once there is space", async () => {
  await using folder = await temporaryFolder();
  let isFull = false;
  const full = Object.assign(new Error("no space left on the medium"), { code: "ENOSPC" });
  const limited = (file: OpenFile): OpenFile => ({
    read: (...given) => file.read(...given),
    write: (...given) => isFull ? Promise.reject(full) : file.write(...given),
    truncate: (bytes) => file.truncate(bytes),
    sync: () => file.sync(),
    size: () => file.size(),
    isAt: (path) => file.isAt(path),
    close: () => file.close(),
  });
  const files: FileSystem = {
    ...denoFileSystem,
    create: async (path) => limited(await denoFileSystem.create(path)),
    open: async (path) => limited(await denoFileSystem.open(path)),
  };
  const ledger = await openFilesLedger(folder.path, { ...medium, files });
  await ledger.put("users", "anna", 1);
  isFull = true;
  const fault = await assertRejects(() => ledger.put("users", "ben", 1), LedgerError);
  assertEquals(fault.code, "unavailable");
  assertEquals((await entriesOf(ledger, "users")).length, 1);
  isFull = false;
  await ledger.put("users", "ben", 1, 0);
  assertEquals((await entriesOf(ledger, "users")).length, 2);
  await ledger.close();
});

Deno.test("a ledger on a read-only medium says so when it is opened, and again when it is writable", async () => {
  await using folder = await temporaryFolder();
  const before = await openFilesLedger(folder.path, medium);
  await before.put("users", "ben", 1);
  await before.close();
  let isReadOnly = true;
  const refused = () => Promise.reject(Object.assign(new Error("read-only"), { code: "EROFS" }));
  const files: FileSystem = {
    ...denoFileSystem,
    create: (path) => isReadOnly ? refused() : denoFileSystem.create(path),
    open: (path) => isReadOnly ? refused() : denoFileSystem.open(path),
  };
  const states: string[] = [];
  const onCondition = ({ state }: { readonly state: string }) => void states.push(state);
  const ledger = await openFilesLedger(folder.path, { ...medium, files, onCondition });
  assertEquals(states, ["readonly"]);
  await assertRejects(() => ledger.put("users", "anna", 1), LedgerError);
  isReadOnly = false;
  await ledger.put("users", "anna", 1);
  assertEquals(states, ["readonly", "ok"]);
  await ledger.close();
});
