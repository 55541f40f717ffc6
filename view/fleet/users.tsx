/**
 * The page Users: the users of the fleet and their rights; they are added and removed here.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { Button } from "../parts/button.tsx";
import { CopyField } from "../parts/copy-field.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { Question } from "../parts/question.tsx";
import { timeText } from "../parts/time-text.ts";
import { me } from "../state/rights.ts";
import { fleetTexts } from "../texts/fleet.ts";
import { fleetUsersTexts } from "../texts/fleet-users.ts";
import { texts, textsOf } from "../texts/texts.ts";
import { hubRpc } from "./hub.ts";
import { useHubAnswer } from "./hub-answer.ts";
import { NotAdmin } from "./not-admin.tsx";
import { Refused } from "./refused.tsx";
import { useCollator } from "./use-collator.ts";
import { useConsoleNames } from "./use-console-names.ts";
import { UserForm, type UserToken } from "./user-form.tsx";
import { type FleetUser, rightsText } from "./user-rights.ts";

/** Interval in ms at which the page asks for the list: others may change users, too. */
const EVERY_MS = 10_000;

/** The question of a dialog. */
type Asked =
  | { readonly what: "add" }
  | { readonly what: "change" | "remove"; readonly user: FleetUser }
  | { readonly what: "token"; readonly made: UserToken };

/** The page. */
export function Users() {
  const own = textsOf(fleetUsersTexts);
  const { remove, removeTitle } = textsOf(fleetTexts);
  const user = me.value;
  const isAdmin = user?.admin === true;
  const [{ result, refusal }, ask] = useHubAnswer(
    "fleetuserlist",
    isAdmin ? {} : undefined,
    EVERY_MS,
  );
  const [asked, setAsked] = useState<Asked>();
  const collator = useCollator();
  if (user !== undefined && !isAdmin) return <NotAdmin />;
  const close = () => setAsked(undefined);
  const done = (made?: UserToken) => {
    setAsked(made && { what: "token", made });
    ask();
  };
  return (
    <>
      <div class="toolbar">
        <span class="space" />
        <Button
          label={own.add}
          icon="plus"
          kind="primary"
          needs="admin"
          onPress={() => setAsked({ what: "add" })}
        />
      </div>
      {refusal !== undefined
        ? <Refused refusal={refusal} onAsk={ask} />
        : result === undefined
        ? <p class="muted">{texts().shell.loading}</p>
        : (
          <UserList
            users={result.toSorted((one, other) => collator.compare(one.name, other.name))}
            onChange={(user) => setAsked({ what: "change", user })}
            onRemove={(user) => setAsked({ what: "remove", user })}
          />
        )}
      {asked?.what === "add" && <UserForm user={undefined} onClose={close} onDone={done} />}
      {asked?.what === "change" && <UserForm user={asked.user} onClose={close} onDone={done} />}
      {asked?.what === "remove" && (
        <Question
          title={removeTitle(asked.user.name)}
          sentence={(asked.user.name === user?.name ? own.removeYou : "") + own.removeQuestion}
          label={remove}
          onYes={() => hubRpc("fleetuserremove", { name: asked.user.name }).then(() => done())}
          onClose={close}
        />
      )}
      {asked?.what === "token" && <Token {...asked.made} onClose={close} />}
    </>
  );
}

interface UserListProps {
  readonly users: readonly FleetUser[];
  readonly onChange: (user: FleetUser) => void;
  readonly onRemove: (user: FleetUser) => void;
}

/** The users, each with their rights. */
function UserList({ users, onChange, onRemove }: UserListProps) {
  const own = textsOf(fleetUsersTexts);
  const nameOf = useConsoleNames();
  return (
    <ul class="list" aria-label={own.users}>
      {users.map((user) => (
        <li key={user.name} class="line">
          <div class="fleet-user">
            <p class="toolbar">
              <strong>
                <bdi>{user.name}</bdi>
              </strong>
              {user.name === me.value?.name && <span class="badge">{own.you}</span>}
            </p>
            <p>
              <bdi>{rightsText(user, { own, nameOf })}</bdi>
            </p>
            <p class="muted small">{own.added(timeText(user.created))}</p>
          </div>
          <Button
            label={own.change(user.name)}
            icon="edit"
            isBare
            needs="admin"
            onPress={() => onChange(user)}
          />
          <Button
            label={own.removeName(user.name)}
            icon="trash"
            isBare
            needs="admin"
            onPress={() => onRemove(user)}
          />
        </li>
      ))}
    </ul>
  );
}

/** The token of a new user, which cannot be shown again once this is closed. */
function Token({ name, token, onClose }: UserToken & { readonly onClose: () => void }) {
  const own = textsOf(fleetUsersTexts);
  return (
    <Dialog title={own.tokenOf(name)} onClose={onClose} isKept>
      <p>{own.tokenOnce(new URL(".", document.baseURI).href)}</p>
      <CopyField label={own.tokenOf(name)} text={token} />
    </Dialog>
  );
}
