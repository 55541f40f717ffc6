/**
 * The service in each runtime that keeps data in a folder.
 *
 * @module
 */
import { type Running, startFaderd, startFaderdIn } from "../program/faderd.ts";
import { forNode } from "../runtimes/node/in-node.ts";

/** Starts a service on a data folder. */
export type Start = (data: string) => Promise<Running>;

/** For each runtime, by its name: runs an action with a function that starts the service in it. */
export const services: Readonly<
  Record<string, (action: (start: Start) => Promise<void>) => Promise<void>>
> = {
  Deno: (action) => action((data) => startFaderd("--data", data)),
  Node: async (action) => {
    await using program = await forNode("tests/crash/node-service.ts");
    const command = ["node", program.file];
    await action((data) => startFaderdIn({ command }, "--data", data));
  },
};
