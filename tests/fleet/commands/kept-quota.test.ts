/** The quota for kept commands: of all, of one console and of one user. */
import { assertEquals } from "@std/assert";
import { createKeptQuota } from "../../../fleet/commands/kept-quota.ts";

const MIB = 1024 * 1024;

/** The part of a command by which the quota counts it. */
function command(user: string, console = "1") {
  return { console: console.padStart(32, "0"), by: { name: user, may: "operate" } } as const;
}

Deno.test("one user has at most a quarter of the kept commands, and others still have the rest", () => {
  const quota = createKeptQuota();
  for (let at = 0; at < 5000; at++) quota.take(command("anna", `${at % 20}`), 100);
  assertEquals(quota.refusal(command("anna", "30"), 100), {
    code: 11,
    message: "expected at most 5000 kept commands of one user, 5000 wait already",
  });
  assertEquals(quota.refusal(command("ben", "30"), 100), undefined);
  quota.release(command("anna", "0"), 100);
  assertEquals(quota.refusal(command("anna", "30"), 100), undefined);
});

Deno.test("one user has at most a quarter of the kept commands for a console, and others still have the rest", () => {
  const quota = createKeptQuota();
  const fill = (user: string) => {
    for (let at = 0; at < 125; at++) {
      assertEquals(quota.refusal(command(user), 100), undefined);
      quota.take(command(user), 100);
    }
  };
  fill("anna");
  assertEquals(quota.refusal(command("anna"), 100), {
    code: 11,
    message: "expected at most 125 kept commands of one user for one console, 125 wait already",
  });
  assertEquals(quota.refusal(command("anna", "2"), 100), undefined);
  quota.release(command("anna"), 100);
  assertEquals(quota.refusal(command("anna"), 100), undefined);
  quota.take(command("anna"), 100);
  for (const user of ["ben", "carl", "dora"]) fill(user);
  assertEquals(quota.refusal(command("eve"), 100), {
    code: 11,
    message: "expected at most 500 kept commands for one console, 500 wait already",
  });
});

Deno.test("one user has at most a quarter of the bytes of kept commands, and others still have the rest", () => {
  const quota = createKeptQuota();
  for (let at = 0; at < 8; at++) quota.take(command("anna"), MIB);
  assertEquals(quota.refusal(command("anna"), 1), {
    code: 11,
    message: "expected at most 8388608 bytes of kept commands of one user, 8388608 wait already",
  });
  for (const name of ["ben", "carl", "dora"]) {
    assertEquals(quota.refusal(command(name), 8 * MIB), undefined);
    quota.take(command(name), 8 * MIB);
  }
  assertEquals(quota.refusal(command("eve"), 1), {
    code: 11,
    message: "expected at most 33554432 bytes of kept commands, 33554432 wait already",
  });
});
