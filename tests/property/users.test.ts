import { assert } from "@std/assert";
import fc from "fast-check";
import type { Command } from "../../core/command.ts";
import type { Console } from "../../core/console.ts";
import { addUser, removeUser } from "../../core/users/adduser.ts";
import { byAdmin } from "../../core/users/admin.ts";
import { modifyUser } from "../../core/users/modifyuser.ts";
import type { User } from "../../core/users/user.ts";
import { stillClock, testConsole } from "../service.ts";
import { settled, stagedStore } from "../core/stores.ts";

const configuration = { mixers: [{ faders: 1 }] };

const name = fc.constantFrom("admin", "one", "two", "new");
const maybe = fc.option(fc.boolean(), { nil: undefined });
const command: fc.Arbitrary<Command<object>> = fc.oneof(
  name.map(removeUser),
  fc.tuple(name, fc.boolean()).map(([name, admin]) => addUser({ name, groups: 1, admin })),
  fc.tuple(name, maybe, maybe).map(([name, admin, newtoken]) =>
    modifyUser({ name, admin, newtoken })
  ),
);

/** A user gives a command, the oldest write lands, or all writes in flight fail. */
const step = fc.oneof(
  { arbitrary: fc.tuple(name, command), weight: 4 },
  { arbitrary: fc.constantFrom("land", "fail"), weight: 1 },
);

function adminsOf({ state }: Console): User[] {
  return [...state.users.values()].filter(({ admin }) => admin);
}

Deno.test("after any commands of admins about each other, concurrent or failing, an admin remains", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const store = stagedStore();
      const console = await testConsole({ configuration, store, clock: stillClock() });
      /** All users that ever existed: a connection may still be logged in as one of them. */
      const known = new Set(console.state.users.values());
      console.watch((event) => {
        if (event.type === "userwritten") known.add(event.user);
        assert(adminsOf(console).length > 0);
        const hashes = [...console.state.users.values()].map(({ tokenHash }) => tokenHash);
        assert(new Set(hashes).size === hashes.length);
      });
      store.hold();
      for (const step of steps) {
        if (step === "land") await store.land();
        else if (step === "fail") await store.fail("no space left");
        else {
          const [by, command] = step;
          for (const user of [...known].filter(({ name }) => name === by)) {
            console.dispatch(byAdmin(command), { user });
          }
        }
        await settled();
      }
      await store.release();
      assert(adminsOf(console).length > 0);
    }),
    { numRuns: 100 },
  );
});
