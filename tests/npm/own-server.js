/**
 * A program that serves a console by its own server. It prints nothing unless it fails, and its
 * process ends by itself.
 */
import assert from "node:assert/strict";
import { createServer, request } from "node:http";
import {
  createBudget,
  createConsole,
  createCooperativeScheduler,
  createEndingTimer,
  createService,
  createSessions,
  demoConfiguration,
  followExpiredLogins,
  followLogics,
  initialState,
  joinEngine,
  readConfiguration,
} from "faderd";
import { connect, createNodeHandler } from "faderd/node";

const clock = { now: Date.now, monotonic: () => performance.now() };
const timer = createEndingTimer({
  monotonic: clock.monotonic,
  at(due, wake) {
    const timeout = setTimeout(wake, Math.max(0, due - performance.now()));
    return () => clearTimeout(timeout);
  },
});
const desk = createConsole({
  state: initialState(readConfiguration(demoConfiguration).configuration),
  store: { append: () => Promise.resolve() },
  clock,
  random: { bytes: (count) => crypto.getRandomValues(new Uint8Array(count)) },
});
joinEngine(desk, { apply() {}, start() {} });
followLogics(desk);
followExpiredLogins(desk);
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

/** Sends a request, and resolves with the status; a request with a body does not end it. */
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
// The path is not normalized: a proxy in front that guards paths must not be bypassed.
assert.equal(await statusOf({ path: "/x/../api/rest/general" }), 404);
assert.equal(await statusOf({ path: "/", headers: { host: "elsewhere.example" } }), 421);
// An upgrade to another protocol, and an invalid one to a WebSocket, are answered.
const upgrade = { connection: "upgrade", upgrade: "websocket" };
assert.equal(await statusOf({ path: "/api/ws", headers: upgrade }), 400);
assert.equal(await statusOf({ path: "/health", headers: { ...upgrade, upgrade: "h2c" } }), 200);
// A body that never ends, and that no action reads, ends with the answer.
assert.equal(await statusOf({ path: "/nowhere", method: "POST" }, "x".repeat(100_000)), 404);

const client = connect(`ws://127.0.0.1:${port}/api/ws`);
await client.ready();
await client.set("/audio/mixers/0/faders/0/fader", -12);
assert.equal(await client.get("/audio/mixers/0/faders/0/fader"), -12);
await client.close();

sessions.closeAll(1001, "the program ends");
await new Promise((resolve) => server.close(resolve));
assert.deepEqual(faults, []);
timer.end();
