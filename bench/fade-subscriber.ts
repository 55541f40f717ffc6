/**
 * The subscriber of `fade.ts`: hears of every fader, in a process of its own. Argument: the port. It
 * ends when its standard input does, and prints how many updates have come.
 *
 * @module
 */
import { openWebSocket } from "./load.ts";
import { print } from "./report.ts";

const SUBSCRIBE = { method: "subscribe", path: "/audio/mixers" };

const socket = await openWebSocket(
  Number(Deno.args[0]),
  [JSON.stringify(SUBSCRIBE)],
  1,
  JSON.stringify({ ...SUBSCRIBE, success: true }),
);
print("ready");
let ended = false;
socket.receive(Infinity).catch((fault) => {
  if (!ended) throw fault;
});
for await (const _ of Deno.stdin.readable);
ended = true;
print(JSON.stringify({ updates: socket.received - 1 }));
socket.close();
