/**
 * Logging out. It is asked for once more: on a phone its button is an icon alone.
 *
 * @module
 */
import { signal } from "@preact/signals";
import { Question } from "../parts/question.tsx";
import { logOut, me } from "../state/rights.ts";
import { texts } from "../texts/texts.ts";

/** Whether somebody asked to log out. */
export const isLogOutAsked = signal(false);

/** The question, with the name of who is logged in. */
export function LogOut() {
  if (!isLogOutAsked.value) return null;
  const { shell } = texts();
  const close = () => isLogOutAsked.value = false;
  return (
    <Question
      title={shell.logOutTitle(me.value?.name ?? "")}
      sentence={shell.logOutQuestion}
      label={shell.logOut}
      onYes={() => {
        close();
        logOut();
        return Promise.resolve();
      }}
      onClose={close}
    />
  );
}
