/**
 * Requests of the command line to a running service: `--url`, and the token of the caller.
 *
 * @module
 */
import { reasonOf } from "../core/errors.ts";
import type { RpcName, RpcParams, RpcResult } from "../client/rpcs.ts";
import { isToken } from "../core/users/token.ts";
import type { Given, Option } from "./command-line.ts";
import { Failure, misuse } from "./failure.ts";
import { readText } from "./named-file.ts";

/** A running service. */
export interface RunningService {
  /** Its URL, without a slash at the end. */
  readonly url: string;
  /** Calls an RPC method; throws {@link Failure} with the service's own words if it refuses. */
  rpc<Name extends RpcName>(name: Name, params: RpcParams<Name>): Promise<RpcResult<Name>>;
  /**
   * Requests a path, as the user of the token. Returns any answer; throws {@link Failure} if there
   * is none.
   */
  request(path: string, init?: RequestInit): Promise<Response>;
}

/** The options by which a command finds the service, and authenticates. */
export const serviceOptions: readonly Option[] = [
  ["--url URL", "a service that is running, like http://127.0.0.1:8080, instead of a folder"],
  ["--token-file FILE", "with --url: a file with the token of an admin"],
  ["--ca FILE", "with --url: the certificate, PEM, that vouches for an https: service"],
];

/** The token on the command line. */
export const tokenOption: Option = [
  "--token TOKEN",
  "with --url: the token itself; while the command runs others on this machine can read it",
];

/** The message for an answer that does not come from a service. */
export function noFaderd(url: string, { status }: Response): Failure {
  return new Failure(`${url} answers with status ${status}, and not as faderd does`);
}

/** Returns the JSON object of an answer of a service; an empty object for any other answer. */
export async function saidIn(answer: Response): Promise<ReturnType<typeof JSON.parse>> {
  const said = await answer.json().catch(() => undefined);
  return typeof said === "object" && said !== null ? said : {};
}

/**
 * Returns the service that a command line names, undefined if it means a data folder; throws {@link
 * Failure} if it means both, or has options of a service without `--url`. `ofService` are the
 * options that mean nothing without `--url`.
 */
export function serviceOf(
  given: Given,
  ofService: readonly string[] = ["token", "token-file", "ca"],
): RunningService | undefined {
  const url = given.get("url");
  const mixed = url === undefined
    ? ofService.find((option) => given.has(option))
    : ["data", "config"].find((option) => given.has(option));
  if (mixed !== undefined) {
    throw misuse(`--${mixed} goes ${url === undefined ? "with" : "without"} --url`);
  }
  return url === undefined ? undefined : createService(baseOf(url), tokenOf(given), caOf(given));
}

function createService(
  url: string,
  token: string | undefined,
  client: Deno.HttpClient | undefined,
): RunningService {
  async function request(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers);
    if (token !== undefined) headers.set("authorization", `Bearer ${token}`);
    try {
      const options = { ...init, headers, redirect: "error", ...(client && { client }) } as const;
      return await fetch(`${url}${path}`, options);
    } catch (fault) {
      throw new Failure(`${url} does not answer: ${whyNot(fault)}`);
    }
  }

  return {
    url,
    request,
    async rpc(method, params) {
      const body = JSON.stringify({ method: "rpc", payload: { method, params } });
      const answer = await request("/api/rest", { method: "POST", body });
      const said = await saidIn(answer);
      if (said.success === true) return said.payload.result;
      if (typeof said.error?.message === "string") throw new Failure(said.error.message);
      throw noFaderd(url, answer);
    },
  };
}

/**
 * Returns the reason why `fetch` failed; Deno gives it in the cause, after a repetition of the
 * address.
 */
export function whyNot(fault: unknown): string {
  const { cause = fault } = fault as Error;
  const reason = reasonOf(cause).replace(/^error sending request for url \(.*?\): /, "");
  return reason.includes("CaUsedAsEndEntity")
    ? "it serves HTTPS with the same certificate as --ca, which is marked as that of a certificate " +
      "authority; make it with basicConstraints=critical,CA:FALSE"
    : reason;
}

function baseOf(text: string): string {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw misuse(`--url: expected one like http://127.0.0.1:8080, got ${text}`);
  }
  return `${url.origin}${url.pathname.replace(/\/+$/, "")}`;
}

function tokenOf(given: Given): string | undefined {
  const file = given.get("token-file");
  if (file === undefined) {
    const token = given.get("token");
    if (token === undefined || isToken(token)) return token;
    throw misuse("--token: expected one like xxxxxxxx-xxxxxxxx-xxxxxxxx-xxxxxxxx");
  }
  if (given.has("token")) throw misuse("expected --token or --token-file, got both");
  const token = readText(file, `--token-file ${file}`).trim();
  if (!isToken(token)) {
    throw new Failure(`--token-file ${file} does not hold a token, and only that`);
  }
  return token;
}

function caOf(given: Given): Deno.HttpClient | undefined {
  const file = given.get("ca");
  return file === undefined
    ? undefined
    : Deno.createHttpClient({ caCerts: [readCertificates(file)] });
}

/** Reads the file of `--ca`; throws {@link Failure} if it has no certificate. */
export function readCertificates(file: string): string {
  const text = readText(file, `--ca ${file}`);
  // Deno ignores text that holds no certificate, without an error.
  if (!text.includes("-----BEGIN CERTIFICATE-----")) {
    throw new Failure(`--ca ${file} holds no certificate, PEM`);
  }
  return text;
}
