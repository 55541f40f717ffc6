/**
 * The form of a new or a changed user.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { tryRpc } from "../../state/live.ts";
import { Button } from "../../parts/button.tsx";
import { Check } from "../../parts/check.tsx";
import { Choice } from "../../parts/choice.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Groups } from "../../parts/groups.tsx";
import { askWho } from "../../state/rights.ts";
import { adminTexts } from "../../texts/admin.ts";
import { textsOf } from "../../texts/texts.ts";
import { lastDay } from "./amounts.ts";
import type { UserToken } from "./shown-token.tsx";
import type { User } from "./user.ts";

const RIGHTS = ["view", "press", "operate", "configure"] as const;

/** The user to change, undefined for a new user; `onDone` gets the new token. */
export interface UserFormProps {
  readonly user: User | undefined;
  readonly onClose: () => void;
  readonly onDone: (made?: UserToken) => void;
  /** Called if the user is the first who may do more when logged out. */
  readonly onGain: (name: string) => void;
  /** Called if another token is requested. */
  readonly onRenew?: () => void;
}

/** All fields of a user. */
export function UserForm({ user, onClose, onDone, onGain, onRenew }: UserFormProps) {
  const own = textsOf(adminTexts);
  const [may, setMay] = useState(user?.may ?? "view");
  const [groups, setGroups] = useState(user?.groups ?? 0);
  const [refusal, setRefusal] = useState<string>();

  function attempt(asked: Promise<UserToken | undefined>): void {
    asked.then(onDone, (fault) => setRefusal(fault.message));
  }

  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const day = String(fields.get("expires"));
    const given = { groups, may, admin: fields.has("admin"), engine: fields.has("engine") };
    if (user === undefined) {
      const name = String(fields.get("name")).trim();
      const end = day === "" ? {} : { expires: day };
      attempt(
        tryRpc("adduser", { name, ...given, ...end }).then(({ token, notice }) => {
          if (notice !== undefined) onGain(name);
          return { name, token };
        }),
      );
    } else {
      // A member that is unchanged here is not sent: another admin may have changed it since, and
      // an expiry may be within a day, or past.
      const changed = Object.entries(given)
        .filter(([member, value]) => value !== user[member as keyof typeof given]);
      const end = day === lastDay(user.expires) ? {} : { expires: day === "" ? null : day };
      attempt(
        tryRpc("modifyuser", { name: user.name, ...Object.fromEntries(changed), ...end }).then(
          async ({ notice }) => {
            if (notice !== undefined) onGain(user.name);
            await askWho();
            return undefined;
          },
        ),
      );
    }
  };
  return (
    <Dialog title={user === undefined ? own.addUser : own.changeUser(user.name)} onClose={onClose}>
      <form class="form" onSubmit={submit}>
        {user === undefined && (
          <label class="field">
            <span>{own.name}</span>
            <input name="name" required maxLength={64} autocomplete="off" autofocus />
            <small>{own.nameHint}</small>
          </label>
        )}
        <Choice
          label={own.may}
          items={RIGHTS}
          chosen={may}
          textOf={(right) =>
            own.rights[right]}
          onChoose={setMay}
        />
        <Groups label={own.groups} hint={own.groupsHint} mask={groups} onChange={setGroups} />
        <Check
          name="admin"
          label={own.admin}
          hint={own.adminHint}
          isOn={user?.admin ?? false}
        />
        <Check
          name="engine"
          label={own.engine}
          hint={own.engineHint}
          isOn={user?.engine ?? false}
        />
        <label class="field">
          <span>{own.expires}</span>
          <input name="expires" type="date" defaultValue={lastDay(user?.expires ?? null)} />
          <small>{own.expiresHint}</small>
        </label>
        {refusal !== undefined && <p role="alert" class="refusal">{refusal}</p>}
        <button type="submit" class="button primary">{own.save}</button>
      </form>
      {onRenew !== undefined && <Button label={own.newToken} kind="danger" onPress={onRenew} />}
    </Dialog>
  );
}
