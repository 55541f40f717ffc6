/**
 * The users of the console.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { tryRpc } from "../../state/live.ts";
import { Button } from "../../parts/button.tsx";
import { groupsIn } from "../../parts/group-masks.ts";
import { Question } from "../../parts/question.tsx";
import { me, renewLogin } from "../../state/rights.ts";
import { adminTexts } from "../../texts/admin.ts";
import { handOverTexts } from "../../texts/hand-over.ts";
import { textsOf } from "../../texts/texts.ts";
import { lastDay } from "./amounts.ts";
import { usePolled } from "../../state/polled.ts";
import { HandOver } from "./hand-over.tsx";
import { ShownToken, type UserToken } from "./shown-token.tsx";
import { timeText } from "../../parts/time-text.ts";
import type { User } from "./user.ts";
import { UserForm } from "./user-form.tsx";

/** The question of a dialog. */
type Asked =
  | { readonly what: "add" }
  | { readonly what: "change" | "remove" | "renew"; readonly user: User }
  | { readonly what: "token"; readonly made: UserToken }
  | { readonly what: "hand-over"; readonly name: string; readonly isNew: boolean };

/** Every user, with the possible changes. */
export function UsersCard() {
  const own = textsOf(adminTexts);
  const { handOver } = textsOf(handOverTexts);
  const [users, ask] = usePolled("getuserlist");
  const [asked, setAsked] = useState<Asked>();
  const [gaining, setGaining] = useState<string>();
  // Not any more once the user has been removed, or may operate.
  const gains = users?.some(({ name, admin, may }) =>
    name === gaining && !admin && (may === "view" || may === "press")
  );
  const close = () => setAsked(undefined);
  const done = (made?: UserToken) => {
    setAsked(made && { what: "token", made });
    ask();
  };
  return (
    <section class="card form users">
      <header class="toolbar">
        <h2>{own.users}</h2>
        <span class="space" />
        <Button
          label={own.addUser}
          icon="plus"
          kind="primary"
          needs="admin"
          onPress={() => setAsked({ what: "add" })}
        />
      </header>
      {gains && <p role="status" class="refusal">{own.gains(gaining!)}</p>}
      <ul class="list">
        {users?.map((user) => (
          <li key={user.name} class="line">
            <UserText user={user} />
            <Button
              label={handOver(user.name)}
              icon="phone"
              isBare
              needs="admin"
              onPress={() => setAsked({ what: "hand-over", name: user.name, isNew: false })}
            />
            <Button
              label={own.changeUser(user.name)}
              icon="edit"
              isBare
              needs="admin"
              onPress={() => setAsked({ what: "change", user })}
            />
            <Button
              label={own.removeUser(user.name)}
              icon="trash"
              isBare
              needs="admin"
              onPress={() => setAsked({ what: "remove", user })}
            />
          </li>
        ))}
      </ul>
      {asked?.what === "add" && (
        <UserForm user={undefined} onClose={close} onDone={done} onGain={setGaining} />
      )}
      {asked?.what === "change" && (
        <UserForm
          user={asked.user}
          onClose={close}
          onDone={done}
          onGain={setGaining}
          onRenew={() => setAsked({ what: "renew", user: asked.user })}
        />
      )}
      {asked?.what === "remove" && (
        <Question
          title={own.removeUser(asked.user.name)}
          sentence={own.removeUserQuestion}
          label={own.remove}
          onYes={() => tryRpc("removeuser", { name: asked.user.name }).then(() => done())}
          onClose={close}
        />
      )}
      {asked?.what === "renew" && (
        <Question
          title={own.newTokenOf(asked.user.name)}
          sentence={own.newTokenQuestion}
          label={own.newToken}
          onYes={() => renew(asked.user.name).then(done)}
          onClose={close}
        />
      )}
      {asked?.what === "token" && (
        <ShownToken
          {...asked.made}
          onHandOver={() => setAsked({ what: "hand-over", name: asked.made.name, isNew: true })}
          onClose={close}
        />
      )}
      {asked?.what === "hand-over" && (
        <HandOver name={asked.name} isNew={asked.isNew} onTaken={ask} onClose={close} />
      )}
    </section>
  );
}

async function renew(name: string): Promise<UserToken> {
  const { token } = await tryRpc("modifyuser", { name, newtoken: true });
  if (name === me.peek()?.name) renewLogin(token!);
  return { name, token: token! };
}

function UserText({ user }: { readonly user: User }) {
  const own = textsOf(adminTexts);
  const { name, groups, admin, engine, may, expires, lastused } = user;
  const marks = [
    ...(admin ? [own.admin] : [own.rights[may]]),
    ...(engine ? [own.engine] : []),
  ];
  const facts = [
    groups === 0 ? own.noGroups : own.inGroups(groupsIn(groups).join(", ")),
    expires === null ? own.never : own.until(lastDay(expires)),
    lastused === null ? own.notUsed : own.lastUsed(timeText(lastused)),
  ];
  return (
    <div class="user-text">
      <p class="toolbar">
        <strong>{name}</strong>
        {marks.map((mark) => <span class="badge" key={mark}>{mark}</span>)}
      </p>
      <p class="muted small">{facts.join(" · ")}</p>
    </div>
  );
}
