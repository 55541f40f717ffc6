/**
 * Logging in with a token.
 *
 * @module
 */
import { signal } from "@preact/signals";
import { Check } from "../parts/check.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { logIn, login, logOut } from "../state/rights.ts";
import { texts } from "../texts/texts.ts";

/** Whether the user wants to log in. */
export const isLoginAsked = signal(false);

/** The form; shown on request, and if the console requires a login. */
export function Login() {
  const { isNeeded, refusal } = login.value;
  if (!isNeeded && !isLoginAsked.value) return null;
  const close = () => {
    isLoginAsked.value = false;
    if (isNeeded) logOut();
  };
  return (
    <Dialog title={texts().login.title} onClose={close}>
      <LoginForm isNeeded={isNeeded} refusal={refusal} />
    </Dialog>
  );
}

interface LoginFormProps {
  readonly isNeeded: boolean;
  readonly refusal: string | undefined;
}

function LoginForm({ isNeeded, refusal }: LoginFormProps) {
  const { login: own, shell } = texts();
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const token = String(fields.get("token")).trim();
    if (token === "") return;
    isLoginAsked.value = false;
    logIn(token, fields.has("keep"));
  };
  return (
    <form class="form" onSubmit={submit}>
      {refusal !== undefined && <p role="alert" class="refusal">{own.refused} {refusal}</p>}
      {isNeeded && refusal === undefined && <p>{own.needed}</p>}
      <label class="field">
        <span>{own.token}</span>
        <input name="token" type="password" autocomplete="off" spellcheck={false} autofocus />
        <small>{own.hint}</small>
      </label>
      <Check name="keep" label={own.keep} hint={own.keepHint} isOn={false} />
      <button type="submit" class="button primary">{shell.logIn}</button>
    </form>
  );
}
