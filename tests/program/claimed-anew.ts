/**
 * Claims a name in the local network, announces it, and claims it anew at once, before the
 * announcement has come back to its own socket; prints whether the name counts as taken. It is a
 * program of its own because it needs a network of its own, which no packet leaves. Its argument is
 * an address of this machine.
 *
 * @module
 */
import { createSocket } from "node:dgram";
import { location, readMessage } from "../../program/dns-message.ts";
import { openResponder } from "../../program/mdns.ts";
import { passingTime } from "../timers.ts";
import { until } from "../until.ts";

const NAME = "studio-1._faderd._tcp.local";
const [address] = Deno.args as [string];

let announcements = 0;
const listener = createSocket({ type: "udp4", reuseAddr: true });
listener.on("message", (bytes) => {
  const { isResponse, names } = readMessage(bytes)!;
  if (isResponse && names.includes(NAME)) announcements++;
});
await new Promise<void>((resolve) => listener.bind(5353, resolve));
listener.addMembership("224.0.0.251", address);

// The wait before the first question: there are events of the network between its milliseconds.
Math.random = () => 0.9;
const { timer, pass } = passingTime();
const responder = await openResponder(timer, globalThis.console.log);
responder.join([address]);
let isTaken = false;
const claim = () =>
  responder.claim([NAME], [location(NAME, 120, 1, "studio-1.local")], () => isTaken = true);
claim();
pass(1000);
void responder.withdraw();
claim();
await until(() => {
  pass(1);
  return isTaken || announcements === 2;
});
globalThis.console.log(isTaken ? "taken" : "announced");
Deno.exit(0);
