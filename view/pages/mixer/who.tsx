/**
 * The user who is logged in on a mixer.
 *
 * @module
 */
import { at, rpc } from "../../state/live.ts";
import { Button } from "../../parts/button.tsx";
import { Icon } from "../../parts/icon.tsx";
import { forbids, me } from "../../state/rights.ts";
import { mixerWords } from "../../texts/mixer-words.ts";

/** Names the user, and lets the user of the page log in instead, or log out. */
export function WhoIsThere({ mixer }: { readonly mixer: number }) {
  const user = at(`/audio/mixers/${mixer}/_user`).value ?? "";
  const text = mixerWords();
  const reason = forbids("user") ?? forbids("operate");
  const isMe = user !== "" && user === me.value?.name;
  return (
    <div class="who line">
      <span class="who-name line muted small" title={text.whoHint}>
        <Icon name="user" />
        {user === "" ? text.nobodyThere : user}
      </span>
      {!isMe && (
        <Button
          label={text.takeOver}
          reason={reason}
          onPress={() => rpc("login", { mixer })}
        />
      )}
      {user !== "" && (
        <Button
          label={text.leave}
          reason={reason}
          onPress={() => rpc("logout", { mixer })}
        />
      )}
    </div>
  );
}
