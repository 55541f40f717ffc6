/**
 * The frame around the Fleet page: which fleet this is, who looks at it, and what may be chosen.
 *
 * @module
 */
import { useEffect } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { openDialogs } from "../parts/dialog.tsx";
import { Notices } from "../parts/notices.tsx";
import { Overlay } from "../parts/overlay.tsx";
import { isLogOutAsked, LogOut } from "../shell/log-out.tsx";
import { isLoginAsked, Login } from "../shell/login.tsx";
import { arePreferencesShown, Preferences } from "../shell/preferences.tsx";
import { at, link } from "../state/live.ts";
import { me } from "../state/rights.ts";
import { addressOf, route } from "../state/route.ts";
import { fleetTexts } from "../texts/fleet.ts";
import { fleetDoTexts } from "../texts/fleet-do.ts";
import { texts, textsOf } from "../texts/texts.ts";
import { Do } from "./do.tsx";
import { Fleet } from "./fleet.tsx";

/** The whole page. */
export function FleetShell() {
  const isDo = route.value[0] === "do";
  const { title } = isDo ? textsOf(fleetDoTexts) : textsOf(fleetTexts);
  const { shell } = texts();
  const organisation = at("/general/_name").value ?? "faderd";
  const { state } = link.value;
  useEffect(() => {
    document.title = `${title} – ${organisation}`;
  }, [title, organisation]);
  return (
    <>
      <button
        type="button"
        class="skip"
        onClick={() => document.querySelector("main")!.focus()}
      >
        {shell.skip}
      </button>
      <div class="shell kiosk" data-link={state}>
        <Header title={title} organisation={organisation} />
        <main class="main" tabIndex={-1}>
          <div class="page fleet" inert={state !== "open" && openDialogs.value === 0}>
            {isDo ? <Do /> : <Fleet />}
          </div>
        </main>
      </div>
      {openDialogs.value === 0 && <Overlay />}
      <Login />
      <LogOut />
      <Preferences />
      {openDialogs.value === 0 && <Notices />}
    </>
  );
}

/** The pages of the hub. */
function Pages() {
  const own = textsOf(fleetDoTexts);
  const current = route.value[0] === "do" ? "do" : "";
  const pages = [["", textsOf(fleetTexts).title], ["do", own.title]] as const;
  return (
    <nav class="toolbar" aria-label={own.pages}>
      {pages.map(([page, title]) => (
        <a
          key={page}
          class="button"
          href={addressOf(page)}
          aria-current={page === current ? "page" : undefined}
        >
          {title}
        </a>
      ))}
    </nav>
  );
}

interface HeaderProps {
  readonly title: string;
  readonly organisation: string;
}

function Header({ title, organisation }: HeaderProps) {
  const { shell, link: own } = texts();
  const { state } = link.value;
  const user = me.value;
  const isKnown = typeof user?.name === "string";
  return (
    <header class="header line">
      <span
        class={`lamp ${state}`}
        title={state === "open" || state === "silent" ? own[state] : own.lost}
      />
      <p class="console-name cut">{organisation}</p>
      <h1 class="muted">{title}</h1>
      <Pages />
      <span class="space" />
      <span class="user muted small cut">{user && (user.name ?? shell.notLoggedIn)}</span>
      <Button
        label={isKnown ? shell.logOut : shell.logIn}
        icon={isKnown ? "exit" : "user"}
        class="log"
        onPress={() => (isKnown ? isLogOutAsked : isLoginAsked).value = true}
      />
      <Button
        label={shell.menu}
        icon="settings"
        isBare
        onPress={() => arePreferencesShown.value = true}
      />
    </header>
  );
}
