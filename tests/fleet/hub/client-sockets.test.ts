/** The limits on the WebSockets of clients of a hub: strangers give way to newcomers. */
import { assertEquals } from "@std/assert";
import { GIVING_WAY } from "../../../core/limits.ts";
import { type ClientListener, createClientSockets } from "../../../fleet/hub/client-sockets.ts";
import type { HubCore } from "../../../fleet/hub/hub-core.ts";
import { fakeCore, USER_TOKEN } from "../fake-core.ts";
import { playedSocket } from "../open-hub.ts";

/** A socket of a client. Its close frame is answered only when the test ends it. */
interface Opened {
  closedWith(): number | undefined;
  logIn(): void;
  end(): void;
}

/** Sockets of clients, of which there may be few. */
function open(most: { all: number; ofAddress: number }, anonymous?: HubCore["anonymous"]) {
  const clients = createClientSockets(fakeCore(anonymous), most);
  return {
    clients,
    /** Opens a socket from an address; the status of the answer where it is refused before. */
    async from(client: string, token?: string): Promise<Opened | number> {
      const headers = { upgrade: "websocket", ...(token && { authorization: `Bearer ${token}` }) };
      const request = new Request("http://hub/api/ws", { headers });
      const url = { pathname: "/api/ws", search: "", sentPath: "/api/ws", isAllowed: true };
      const asked = { request, url, client, waits: false, bodyOf: () => null } as never;
      const played = playedSocket();
      let listener: { closed(): void } | undefined;
      let isStranger = true;
      const answer = await clients.open(
        asked,
        (begin) => {
          listener = begin(played.socket);
          return new Response(null, { status: 200 });
        },
        1024,
        (_, user): ClientListener => {
          isStranger = user === undefined;
          return { receive() {}, closed() {}, isStranger: () => isStranger };
        },
      );
      if (listener === undefined) return answer.status;
      return {
        closedWith: () => played.closedWith,
        logIn: () => void (isStranger = false),
        end: () => listener!.closed(),
      };
    },
  };
}

function expectOpen(opened: Opened | number): Opened {
  if (typeof opened === "number") throw new Error(`refused with ${opened}`);
  return opened;
}

Deno.test("where an address is full, its oldest socket without a user gives way, and no other does", async () => {
  const { from, clients } = open({ all: 10, ofAddress: 3 });
  const other = expectOpen(await from("b"));
  const user = expectOpen(await from("a", USER_TOKEN));
  const strangers = [expectOpen(await from("a")), expectOpen(await from("a"))];
  const newcomer = expectOpen(await from("a"));
  const closed = () => [other, user, ...strangers, newcomer].map((one) => one.closedWith());
  assertEquals(closed(), [undefined, undefined, 1013, undefined, undefined]);
  assertEquals(clients.count(), 4);
  newcomer.logIn();
  expectOpen(await from("a")).logIn();
  assertEquals(closed(), [undefined, undefined, 1013, 1013, undefined]);
  assertEquals(await from("a", USER_TOKEN), 503, "all are logged in");
  for (const one of strangers) one.end();
  assertEquals(clients.count(), 4);
  user.end();
  assertEquals(clients.count(), 3);
  expectOpen(await from("a"));
});

Deno.test("where all sockets of a hub are taken, the oldest one without a user gives way, of whatever address", async () => {
  const { from } = open({ all: 4, ofAddress: 3 });
  const user = expectOpen(await from("a", USER_TOKEN));
  const strangers = [expectOpen(await from("b")), expectOpen(await from("c"))];
  expectOpen(await from("b"));
  expectOpen(await from("d"));
  assertEquals(strangers.map((one) => one.closedWith()), [1013, undefined]);
  assertEquals(user.closedWith(), undefined);
});

Deno.test("few sockets of an address are closed at a time to give way to strangers, and any to users", async () => {
  const { from } = open({ all: 1000, ofAddress: 20 });
  const strangers = [];
  for (let at = 0; at < 20 + GIVING_WAY; at++) strangers.push(expectOpen(await from("a")));
  assertEquals(await from("a"), 503);
  strangers[0]!.end();
  expectOpen(await from("a"));
  assertEquals(await from("a"), 503);
  expectOpen(await from("a", USER_TOKEN));
});

Deno.test("where a hub lets callers in without a login, they give way only to users", async () => {
  const { from } = open({ all: 10, ofAddress: 2 }, "console");
  const anybody = [expectOpen(await from("a")), expectOpen(await from("a"))];
  assertEquals(await from("a"), 503);
  expectOpen(await from("a", USER_TOKEN));
  assertEquals(anybody.map((one) => one.closedWith()), [1013, undefined]);
});
