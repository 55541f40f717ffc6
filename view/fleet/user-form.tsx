/**
 * The form of a new user of the fleet, or of one whose rights are changed.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { Dialog } from "../parts/dialog.tsx";
import { Ends } from "../parts/ends.tsx";
import { me } from "../state/rights.ts";
import { fleetUsersTexts } from "../texts/fleet-users.ts";
import { textsOf } from "../texts/texts.ts";
import { hubRpc } from "./hub.ts";
import { MaySelect } from "./may-select.tsx";
import { RightRows } from "./right-rows.tsx";
import { type FleetMay, type FleetUser, placeOf, rightOf, type RightRow } from "./user-rights.ts";

/** A new user, and the token. */
export interface UserToken {
  readonly name: string;
  readonly token: string;
}

/** The user to change, undefined for a new user; `onDone` gets the new token. */
export interface UserFormProps {
  readonly user: FleetUser | undefined;
  readonly onClose: () => void;
  readonly onDone: (made?: UserToken) => void;
}

/** The form. */
export function UserForm({ user, onClose, onDone }: UserFormProps) {
  const own = textsOf(fleetUsersTexts);
  const [may, setMay] = useState<FleetMay | undefined>(
    user === undefined ? "operate" : user.may ?? undefined,
  );
  const [rows, setRows] = useState<readonly RightRow[]>(
    () => user?.rights.map((right) => ({ place: placeOf(right), may: right.may })) ?? [],
  );
  const [refusal, setRefusal] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const isOwnEnd = user !== undefined && user.name === me.value?.name && may !== "admin";
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    if (isBusy) return;
    // The hub would give a new user without any right the right to operate.
    if (may === undefined && rows.length === 0) return setRefusal(own.noRight);
    const fields = new FormData(event.currentTarget as HTMLFormElement);
    const name = user?.name ?? String(fields.get("name")).trim();
    const given = { name, ...(may && { may }), rights: rows.map(rightOf) };
    const saved = user === undefined
      ? hubRpc("fleetuseradd", given).then(({ token }) => onDone({ name, token }))
      : hubRpc("fleetusermodify", given).then(() => onDone());
    setBusy(true);
    saved.catch(({ message }) => {
      setBusy(false);
      setRefusal(message);
    });
  };
  return (
    <Dialog title={user === undefined ? own.add : own.change(user.name)} onClose={onClose}>
      <form class="form" onSubmit={submit}>
        {user === undefined && (
          <label class="field">
            <span>{own.name}</span>
            <input name="name" required maxLength={64} autocomplete="off" autofocus />
            <small>{own.nameHint}</small>
          </label>
        )}
        <label class="field">
          <span>{own.may}</span>
          <MaySelect may={may} isOptional onChange={setMay} />
          <small>{own.mayHint}</small>
        </label>
        <RightRows rows={rows} onChange={setRows} />
        {isOwnEnd && <p role="status" class="refusal">{own.demoteYou}</p>}
        {refusal !== undefined && <p role="alert" class="refusal">{refusal}</p>}
        <Ends onCancel={onClose}>
          <button
            type="submit"
            class={`button ${isOwnEnd ? "danger" : "primary"}`}
            aria-disabled={isBusy}
          >
            {own.save}
          </button>
        </Ends>
      </form>
    </Dialog>
  );
}
