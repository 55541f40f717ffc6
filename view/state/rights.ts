/**
 * Who looks at the page, and what of it that user may not do. The page only shows it: the service
 * refuses whatever is not allowed, whatever a page does.
 *
 * @module
 */
import { computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import type { RequestError, RpcResult } from "../../client/client.ts";
import { keep, kept, type Place } from "./kept.ts";
import { link, onOpen, onRightsRefused, open, tryRpc } from "./live.ts";
import { texts } from "../texts/texts.ts";

/** Who the console takes this page for; `name` is null for nobody. */
export type Me = RpcResult<"getuser">;

/** What a thing on the page needs: a right, a known user, or an admin. */
export type Need = "view" | "operate" | "configure" | "user" | "admin";

/** How logging in stands: whether a token is asked for, and why one was refused. */
export interface Login {
  readonly isNeeded: boolean;
  readonly refusal?: string;
}

const RIGHTS = ["view", "operate", "configure"];
const TOKEN = "token";

/** Delay in ms after which the page asks again where no answer came. */
const ASK_AGAIN_MS = 1000;

/** The timer by which it does. */
let askingAgain: number | undefined;

/** The token of this page; kept beside in case the browser keeps nothing. */
let ownToken: string | undefined;

/** Where the token is kept once the console has taken it; undefined where it is kept already. */
let keepAt: Place | undefined;

const currentMe = signal<Me | undefined>(undefined);
const currentLogin = signal<Login>({ isNeeded: false });

/** Who is logged in; undefined until the console has said. */
export const me: ReadonlySignal<Me | undefined> = currentMe;

/** How logging in stands. */
export const login: ReadonlySignal<Login> = currentLogin;

/** Whether the page only looks on: its address has `?view`. */
export const isViewOnly = new URLSearchParams(location.search).has("view");

/** Whether the page is locked against touch. */
export const locked = signal(false);

/** Why nobody at this page may do anything now; undefined where they may. */
const obstacle = computed(() => {
  if (link.value.state !== "open") return texts().rights.noConnection;
  if (isViewOnly) return texts().rights.viewOnly;
  return locked.value ? texts().rights.locked : undefined;
});

/** Why the user may not do what needs this right; undefined where they may try. */
export function forbids(need: Need): string | undefined {
  const { rights } = texts();
  const user = currentMe.value;
  if (need !== "view" && obstacle.value !== undefined) return obstacle.value;
  // Until the console has said who that is nothing is in the way but the console itself.
  if (user === undefined) return undefined;
  if (need === "admin") return user.admin ? undefined : rights.needsAdmin;
  if (need === "user") return user.name === null ? rights.needsLogin : undefined;
  const isAllowed = RIGHTS.indexOf(user.may) >= RIGHTS.indexOf(need);
  if (isAllowed) return undefined;
  return user.name === null ? rights.needsLogin : rights.needsRight(rights.names[need]);
}

/** Begins: with the token that is kept, or as nobody. */
export function begin(): void {
  onOpen(() => {
    // A connection opens with its token, or not at all.
    if (keepAt !== undefined) keep(keepAt, TOKEN, ownToken);
    keepAt = undefined;
    askWho();
  });
  onRightsRefused(askWho);
  effect(() => {
    const { state, reason } = link.value;
    if (state === "refused") currentLogin.value = { isNeeded: true, refusal: reason };
  });
  ownToken = kept("sessionStorage", TOKEN) ?? kept("localStorage", TOKEN);
  open(ownToken);
}

/** How a request over HTTP says who asks: for files, which the WebSocket does not carry. */
export function credentials(): Record<string, string> {
  return ownToken === undefined ? {} : { authorization: `Bearer ${ownToken}` };
}

/** Goes on with another token of the same user, kept where the one before was. */
export function renewLogin(token: string): void {
  keep(kept("localStorage", TOKEN) === undefined ? "sessionStorage" : "localStorage", TOKEN, token);
  ownToken = token;
  open(token);
}

/**
 * Logs in. Once the console has taken the token it is kept for the tab, or for the device where
 * `isForDevice`.
 */
export function logIn(token: string, isForDevice: boolean): void {
  forget();
  keepAt = isForDevice ? "localStorage" : "sessionStorage";
  currentLogin.value = { isNeeded: false };
  ownToken = token;
  open(token);
}

/** Logs out, and forgets the token. */
export function logOut(): void {
  forget();
  currentLogin.value = { isNeeded: false };
  open();
}

function forget(): void {
  keep("sessionStorage", TOKEN, undefined);
  keep("localStorage", TOKEN, undefined);
  ownToken = undefined;
  keepAt = undefined;
  currentMe.value = undefined;
}

/**
 * Asks again what this user may, as after a change of users or a refusal. Where the console has no
 * answer now, such as for too many requests, it is asked again soon.
 */
export async function askWho(): Promise<void> {
  try {
    currentMe.value = await tryRpc("getuser", {});
  } catch (fault) {
    const { code } = fault as RequestError;
    if (code === 4) currentLogin.value = { isNeeded: true };
    clearTimeout(askingAgain);
    // A connection that opens asks by itself.
    if (code !== 4 && link.peek().state === "open") askingAgain = setTimeout(askWho, ASK_AGAIN_MS);
  }
}
