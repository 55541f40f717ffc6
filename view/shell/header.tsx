/**
 * The line at the top: the console, the user, and the choices.
 *
 * @module
 */
import { at, link } from "../state/live.ts";
import { Button } from "../parts/button.tsx";
import { Icon } from "../parts/icon.tsx";
import { hubPath } from "../state/place.ts";
import { locked, me } from "../state/rights.ts";
import { texts } from "../texts/texts.ts";
import { Lock } from "./lock.tsx";
import { isLogOutAsked } from "./log-out.tsx";
import { isLoginAsked } from "./login.tsx";
import { arePreferencesShown } from "./preferences.tsx";
import { undoParts } from "./undo-parts.ts";

/** The properties of the header. */
export interface HeaderProps {
  /** The title of the page. */
  readonly title: string;
  /** Whether it has no link or button that leads away from the page. */
  readonly isKiosk: boolean;
}

/** The header. */
export function Header({ title, isKiosk }: HeaderProps) {
  const { shell, link: own } = texts();
  const name = at("/general/_name").value ?? "";
  const user = me.value;
  const isKnown = typeof user?.name === "string";
  const nobody = user?.may === "view" ? shell.lookingOn : shell.notLoggedIn;
  const { state } = link.value;
  const undo = undoParts.value;
  return (
    <header class="header line">
      <span
        class={`lamp ${state}`}
        title={state === "open" || state === "silent" ? own[state] : own.lost}
      />
      {hubPath !== undefined && !isKiosk && (
        <a
          class="button bare"
          href={hubPath}
          aria-label={shell.fleet}
          title={shell.fleet}
          inert={locked.value}
        >
          <Icon name="left" />
        </a>
      )}
      {!isKiosk && <p class="console-name cut">{name}</p>}
      <h1 class="muted">{title}</h1>
      <span class="space" />
      {!isKiosk && (
        <>
          <span class="user muted small cut">{user && (user.name ?? nobody)}</span>
          <div inert={locked.value}>
            <Button
              label={isKnown ? shell.logOut : shell.logIn}
              icon={isKnown ? "exit" : "user"}
              class="log"
              onPress={() => (isKnown ? isLogOutAsked : isLoginAsked).value = true}
            />
          </div>
        </>
      )}
      {undo !== undefined && !isKiosk && (
        <div inert={locked.value}>
          <undo.UndoKey />
        </div>
      )}
      <Lock />
      {!isKiosk && (
        <div inert={locked.value}>
          <Button
            label={shell.menu}
            icon="settings"
            isBare
            onPress={() => arePreferencesShown.value = true}
          />
        </div>
      )}
    </header>
  );
}
