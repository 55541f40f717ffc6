/**
 * Logging out, after a question, because on a phone its button is only an icon.
 *
 * @module
 */
import { signal } from "@preact/signals";
import { Question } from "../parts/question.tsx";
import { logOut, me } from "../state/rights.ts";
import { texts } from "../texts/texts.ts";

/** Whether the question is shown. */
export const isLogOutAsked = signal(false);

/** The question, with the name of the user. */
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
