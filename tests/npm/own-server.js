/** A program that serves a console by a server of its own; it says nothing where all is well. */
import assert from "node:assert/strict";
import { createServer, request } from "node:http";
import process from "node:process";
import {
  createBudget,
  createConsole,
  createCooperativeScheduler,
  createService,
  createSessions,
  demoConfiguration,
  initialState,
  readConfiguration,
} from "faderd";
import { connect, createNodeHandler } from "faderd/node";

const clock = { now: Date.now, monotonic: () => performance.now() };
const timer = {
  monotonic: clock.monotonic,
  at(due, wake) {
    const timeout = setTimeout(wake, Math.max(0, due - performance.now()));
    return () => clearTimeout(timeout);
  },
};
const desk = createConsole({
  state: initialState(readConfiguration(demoConfiguration).configuration),
  store: { append: () => Promise.resolve() },
  clock,
  random: { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)) },
});
const scheduler = createCooperativeScheduler(clock, (goOn) => setImmediate(goOn));
const budget = createBudget(() => desk.state.configuration.limits.memory);
const sessions = createSessions(desk, { timer, scheduler, budget });
const service = createService({ console: desk, sessions, clock, timer, scheduler, budget });
const faults = [];
const onFault = (fault) => faults.push(fault);
const { receiveBuffers } = budget;
const handler = createNodeHandler({ service, timer, onFault, receiveBuffers });
const server = createServer(handler.request).on("upgrade", handler.upgrade);
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const { port } = server.address();

/** Sends a request as it stands; answers the status. A body may be without end. */
function statusOf(options, body = "") {
  return new Promise((resolve, reject) => {
    const asked = request({ port, host: "127.0.0.1", ...options }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    asked.on("error", reject);
    body === "" ? asked.end() : asked.write(body);
  });
}

assert.equal(await statusOf({ path: "/api/rest/audio/mixers/0/faders/0/fader" }), 200);
// The path is read as it was sent: whoever guards it in front must not be led round.
assert.equal(await statusOf({ path: "/x/../api/rest/general" }), 404);
assert.equal(await statusOf({ path: "/", headers: { host: "elsewhere.example" } }), 421);
// An upgrade to something else, and one of which no WebSocket can come, are answered.
const upgrade = { connection: "upgrade", upgrade: "websocket" };
assert.equal(await statusOf({ path: "/api/ws", headers: upgrade }), 400);
assert.equal(await statusOf({ path: "/health", headers: { ...upgrade, upgrade: "h2c" } }), 200);
// A body that nobody wants, and that never ends, ends with the answer.
assert.equal(await statusOf({ path: "/nowhere", method: "POST" }, "x".repeat(100_000)), 404);

const client = connect(`ws://127.0.0.1:${port}/api/ws`);
await client.ready();
await client.set("/audio/mixers/0/faders/0/fader", -12);
assert.equal(await client.get("/audio/mixers/0/faders/0/fader"), -12);
await client.close();

sessions.closeAll(1001, "the program ends");
await new Promise((resolve) => server.close(resolve));
assert.deepEqual(faults, []);
process.exit(); // the timer of the service would go on
