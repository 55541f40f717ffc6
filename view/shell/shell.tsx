/**
 * The frame around every page.
 *
 * @module
 */
import { useEffect } from "preact/hooks";
import { at, link } from "../state/live.ts";
import { ownLinks } from "../parts/own-links.ts";
import { handOver, type Page, pages } from "../pages/pages.ts";
import { openDialogs } from "../parts/dialog.tsx";
import { NotLoaded } from "../parts/not-loaded.tsx";
import { Notices } from "../parts/notices.tsx";
import { Overlay } from "../parts/overlay.tsx";
import { useKeptFocus } from "../parts/use-kept-focus.ts";
import { locked } from "../state/rights.ts";
import { isKiosk, route } from "../state/route.ts";
import { consoleShellTexts } from "../texts/console-shell.ts";
import { texts, textsOf } from "../texts/texts.ts";
import { Alarms } from "./alarms.tsx";
import { Header } from "./header.tsx";
import { LogOut } from "./log-out.tsx";
import { Login } from "./login.tsx";
import { Navigation } from "./navigation.tsx";
import { Operation } from "./operation.tsx";
import { Preferences } from "./preferences.tsx";
import { undoParts } from "./undo-parts.ts";

/** The whole page. */
export function Shell() {
  const [name, ...parts] = route.value;
  const page = name === undefined
    ? pages[0]
    : [...pages, handOver].find((one) => one.name === name);
  const own = texts();
  const shown = ownLinks.value.find((one) => page?.name === "own" && one.name === parts[0]);
  const title = shown?.title ??
    (page === undefined ? "" : textsOf(consoleShellTexts).titles[page.name]);
  const consoleName = at("/general/_name").value ?? "faderd";
  const isLive = link.value.state === "open";
  const undo = undoParts.value;
  // A dialog makes the page below it inert by itself, and is a part of that page: the user must
  // still be able to close it.
  const isStill = (!isLive || locked.value) && openDialogs.value === 0;
  useKeptFocus(isStill);
  useEffect(() => {
    document.title = `${title} – ${consoleName}`;
  }, [title, consoleName]);
  useEffect(() => void page?.load(), [page]);
  return (
    <>
      <button
        type="button"
        class="skip"
        inert={locked.value}
        onClick={() => document.querySelector("main")!.focus()}
      >
        {own.shell.skip}
      </button>
      <div
        class={isKiosk.value ? "shell kiosk" : "shell"}
        data-link={link.value.state}
        data-locked={locked.value}
      >
        <Header title={title} isKiosk={isKiosk.value} />
        {!isKiosk.value && <Navigation current={page} own={shown} />}
        <main class="main" tabIndex={-1}>
          <Alarms />
          <div class="page" inert={isStill}>
            <Content page={page} parts={parts} />
          </div>
        </main>
      </div>
      {openDialogs.value === 0 && <Overlay />}
      {!locked.value && page !== handOver && <Login />}
      <LogOut />
      <Preferences>
        <Operation />
      </Preferences>
      {undo !== undefined && <undo.Undo />}
      {openDialogs.value === 0 && <Notices />}
    </>
  );
}

/** The page itself, or a message instead of it. */
function Content(
  { page, parts }: { readonly page: Page | undefined; readonly parts: readonly string[] },
) {
  const { shell: text } = texts();
  if (page === undefined) return <p>{text.noPage}</p>;
  const Component = page.component.value;
  if (Component === undefined) return <p class="muted">{text.loading}</p>;
  return Component === "failed" ? <NotLoaded /> : <Component parts={parts} />;
}
