/**
 * The user of the page, and the operations that this user may not do. The page only shows them; the
 * service refuses requests that are not allowed.
 *
 * @module
 */
import { computed, effect, type ReadonlySignal, signal } from "@preact/signals";
import type { RequestError, RpcResult } from "../../client/client.ts";
import { keep, kept, type Place } from "./kept.ts";
import { link, onOpen, onRightsRefused, open, tryRpc } from "./live.ts";
import { notice } from "./notices.ts";
import { texts } from "../texts/texts.ts";

/** The user of this page according to the console; `name` is null without a login. */
export type Me = RpcResult<"getuser">;

/** The requirement of an operation: a right, a known user, or an admin. */
export type Need = "view" | "press" | "operate" | "configure" | "user" | "admin";

/** The state of the login: whether the page asks for a token, and why a token was refused. */
export interface Login {
  readonly isNeeded: boolean;
  readonly refusal?: string;
}

const RIGHTS = ["view", "press", "operate", "configure"];
const TOKEN = "token";

/** Delay in ms before the page asks again for its user, after a failure or after a barred press. */
const ASK_AGAIN_MS = 1000;

/** The timer of that delay. */
let askingAgain: number | undefined;

/** The time of the last request after a barred press, in ms. */
let askedAt = -Infinity;

/** The token of this page, also held here because the browser may store nothing. */
let ownToken: string | undefined;

/**
 * The place where the token is stored once the console has accepted it; undefined if it is stored
 * already.
 */
let keepAt: Place | undefined;

const currentMe = signal<Me | undefined>(undefined);
const currentLogin = signal<Login>({ isNeeded: false });

/** The user who is logged in; undefined until the console has answered. */
export const me: ReadonlySignal<Me | undefined> = currentMe;

/** The state of the login. */
export const login: ReadonlySignal<Login> = currentLogin;

/** Whether the page is view-only: its address has `?view`. */
export const isViewOnly = new URLSearchParams(location.search).has("view");

/** Whether the page is locked against touch. */
export const locked = signal(false);

/** The reason for which the page is not operable now, for any user; undefined if it is. */
const obstacle = computed(() => {
  if (link.value.state !== "open") return texts().rights.noConnection;
  if (isViewOnly) return texts().rights.viewOnly;
  return locked.value ? texts().rights.locked : undefined;
});

/**
 * Returns the reason for which the user may not do an operation with this requirement; undefined if
 * the user may try.
 */
export function forbids(need: Need): string | undefined {
  const { rights } = texts();
  const user = currentMe.value;
  if (need !== "view" && obstacle.value !== undefined) return obstacle.value;
  // Until the user is known the page forbids nothing; the console still decides.
  if (user === undefined) return undefined;
  if (need === "admin") return user.admin ? undefined : rights.needsAdmin;
  if (need === "user") return user.name === null ? rights.needsLogin : undefined;
  const isAllowed = RIGHTS.indexOf(user.may) >= RIGHTS.indexOf(need);
  if (isAllowed) return undefined;
  return user.name === null ? rights.needsLogin : rights.needsRight(rights.names[need]);
}

/**
 * Shows the reason for which a control that the user has pressed is barred. An admin may have
 * granted the right since the page asked for it, so it asks again, at most once a second.
 */
export function noticeBarred(reason: string): void {
  notice(reason);
  const now = performance.now();
  if (obstacle.peek() !== undefined || now - askedAt < ASK_AGAIN_MS) return;
  askedAt = now;
  askWho();
}

/** Connects with the stored token, or without a login. */
export function begin(): void {
  onOpen(() => {
    // An open connection means that its token was accepted.
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

/** Returns the headers that authenticate a request over HTTP, which transfers files. */
export function credentials(): Record<string, string> {
  return ownToken === undefined ? {} : { authorization: `Bearer ${ownToken}` };
}

/** Continues with another token of the same user, stored in the same place. */
export function renewLogin(token: string): void {
  keep(kept("localStorage", TOKEN) === undefined ? "sessionStorage" : "localStorage", TOKEN, token);
  ownToken = token;
  open(token);
}

/**
 * Logs in. Once the console has accepted the token, it is stored for the tab, or with `isForDevice`
 * for the device.
 */
export function logIn(token: string, isForDevice: boolean): void {
  forget();
  keepAt = isForDevice ? "localStorage" : "sessionStorage";
  currentLogin.value = { isNeeded: false };
  ownToken = token;
  open(token);
}

/** Returns the token of a login that is stored for the tab alone; undefined if there is none. */
export function tabToken(): string | undefined {
  return kept("sessionStorage", TOKEN);
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
 * Asks for the rights of this user again, for example after a change of users or a refusal. If that
 * fails, for example because of too many requests, it is repeated after a delay.
 */
export async function askWho(): Promise<void> {
  try {
    const user = await tryRpc("getuser", {});
    // All controls depend on it: an equal user must not have them drawn again.
    if (JSON.stringify(user) !== JSON.stringify(currentMe.peek())) currentMe.value = user;
  } catch (fault) {
    const { code } = fault as RequestError;
    // The reason for which the token was refused may be known already.
    if (code === 4) currentLogin.value = { ...currentLogin.peek(), isNeeded: true };
    clearTimeout(askingAgain);
    // A new connection asks anyway.
    const { state } = link.peek();
    const goesOn = state === "open" || state === "silent";
    if (code !== 4 && goesOn) askingAgain = setTimeout(askWho, ASK_AGAIN_MS);
  }
}
