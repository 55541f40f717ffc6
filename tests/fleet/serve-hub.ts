/**
 * The API of a hub on a free port of this machine, for tests.
 *
 * @module
 */
import { createHubApi, type HubApiWorld } from "../../fleet/api/hub-api.ts";
import type { HubCore } from "../../fleet/hub/hub-core.ts";
import { machine, machineScheduler, machineTimer } from "../../runtimes/clock.ts";
import { createAnswerBody } from "../../transport/answer-body.ts";
import { notFound } from "../../transport/json-answers.ts";
import { ample } from "../budgets.ts";
import { listen } from "../listen.ts";

/** A hub that listens. */
export interface ServedHub extends AsyncDisposable {
  readonly url: string;
  /** The address of its WebSocket. */
  readonly socket: string;
  /** Carries out an RPC over HTTP. */
  rpc(method: string, params?: object, token?: string): Promise<Answer>;
}

/** An answer to an RPC. */
export interface Answer {
  readonly success: boolean;
  // deno-lint-ignore no-explicit-any
  readonly payload: any;
  readonly error?: { readonly code: number; readonly message: string };
}

/** Serves the API of a core. */
export async function serveHub(
  core: HubCore,
  { view, backups, clock = machine.clock }: Partial<
    Pick<HubApiWorld, "view" | "backups" | "clock">
  > = {},
): Promise<ServedHub> {
  const api = createHubApi(core, {
    clock,
    random: machine.random,
    timer: machineTimer,
    scheduler: machineScheduler(),
    budget: ample,
    version: "1.2.3",
    view,
    backups,
  });
  const bodyOf = createAnswerBody(ample.sendBuffers, machineTimer);
  const server = await listen({ hostname: "127.0.0.1", port: 0 }, {
    timer: machineTimer,
    onFault(fault: unknown) {
      throw fault;
    },
    service({ request, client, upgrade }) {
      const { pathname, search } = new URL(request.url);
      const url = { pathname, search, sentPath: pathname, isAllowed: true };
      const asked = { request, url, client, waits: false, bodyOf };
      return api.answer(asked, upgrade) ?? notFound(pathname);
    },
  });
  const url = `http://127.0.0.1:${server.address.port}`;
  return {
    url,
    socket: `${url.replace("http", "ws")}/api/ws`,
    async rpc(method, params = {}, token) {
      const body = JSON.stringify({ method: "rpc", token, payload: { method, params } });
      return await (await fetch(`${url}/api/rest`, { method: "POST", body })).json();
    },
    async [Symbol.asyncDispose]() {
      api.close();
      await server.stop();
    },
  };
}
