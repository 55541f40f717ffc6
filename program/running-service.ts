/**
 * A service that is running, asked from the command line: `--url`, and who asks.
 *
 * @module
 */
import type { RpcName, RpcParams, RpcResult } from "../client/rpcs.ts";
import { isToken } from "../core/users/token.ts";
import type { Given, Option } from "./command-line.ts";
import { Failure, misuse } from "./failure.ts";
import { reasonOf } from "./print.ts";

/** A service that is running. */
export interface RunningService {
  /** Where it is, without a slash at the end. */
  readonly url: string;
  /** Calls an RPC method; throws {@link Failure} with the service's own words where it refuses. */
  rpc<Name extends RpcName>(name: Name, params: RpcParams<Name>): Promise<RpcResult<Name>>;
  /**
   * Requests a path, as whoever the token is of. Answers whatever comes; throws {@link Failure}
   * where nothing does.
   */
  request(path: string, init?: RequestInit): Promise<Response>;
}

/** The options by which a command finds the service, and says who asks. */
export const serviceOptions: readonly Option[] = [
  ["--url URL", "a service that is running, like http://127.0.0.1:8080, in the place of a folder"],
  ["--token-file FILE", "with --url: a file with the token of an admin"],
  ["--ca FILE", "with --url: the certificate, PEM, that vouches for an https: service"],
];

/** The token on the command line. */
export const tokenOption: Option = [
  "--token TOKEN",
  "with --url: the token itself; while the command runs others on this machine can read it",
];

/** Says what an answer is that comes from something else. */
export function noFaderd(url: string, { status }: Response): Failure {
  return new Failure(`${url} answers with status ${status}, and not as faderd does`);
}

/** The JSON object of an answer, as those of a service have one; undefined for any other. */
export async function saidIn(answer: Response): Promise<ReturnType<typeof JSON.parse>> {
  const said = await answer.json().catch(() => undefined);
  return typeof said === "object" && said !== null ? said : {};
}

/**
 * Returns the service that a command line names, undefined where it means a data folder; throws
 * {@link Failure} where it means both, or says more of a service than which. `ofService` are the
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

/** Returns the reason why `fetch` failed; Deno says it in the cause, after the address once more. */
export function whyNot(fault: unknown): string {
  const { cause = fault } = fault as Error;
  const reason = reasonOf(cause).replace(/^error sending request for url \(.*?\): /, "");
  return reason.includes("CaUsedAsEndEntity")
    ? "it serves HTTPS with the very certificate of --ca, which says of itself that it is an " +
      "authority's, to sign others with; make it with basicConstraints=critical,CA:FALSE"
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
  const token = readText(file, "token-file").trim();
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

/** Reads the file of `--ca`; throws {@link Failure} where it has no certificate. */
export function readCertificates(file: string): string {
  const text = readText(file, "ca");
  // Deno ignores text that holds no certificate, without an error.
  if (!text.includes("-----BEGIN CERTIFICATE-----")) {
    throw new Failure(`--ca ${file} holds no certificate, PEM`);
  }
  return text;
}

function readText(file: string, option: string): string {
  try {
    return Deno.readTextFileSync(file);
  } catch (fault) {
    throw new Failure(`--${option} ${file} cannot be read: ${reasonOf(fault)}`);
  }
}
