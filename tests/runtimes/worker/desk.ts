/**
 * The Worker of the tests: the source that a user writes to run a console in a Worker.
 *
 * @module
 */
import { consoleObject } from "../../../runtimes/worker/worker.ts";

/** The bindings of this Worker. */
interface Env {
  readonly ADMIN_TOKEN: string;
  readonly DESK: {
    idFromName(name: string): unknown;
    get(id: unknown): { fetch(request: Request): Promise<Response> };
  };
}

/** The console. */
export const Desk = consoleObject<Env>({
  configuration: {
    mixers: [{ faders: 4 }, { faders: 2 }],
    resources: [{ id: 1 }],
    limits: { rest: { burst: 0 } },
    lists: [{ id: 1 }],
  },
  adminToken: ({ ADMIN_TOKEN }) => ADMIN_TOKEN,
});

export default {
  fetch: (request: Request, { DESK }: Env) => DESK.get(DESK.idFromName("main")).fetch(request),
};
