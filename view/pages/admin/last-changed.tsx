/**
 * The last change of a fader, by the audit trail, for admins.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import { timeText } from "../../parts/time-text.ts";
import { onOpen, tryRpc } from "../../state/live.ts";
import { me } from "../../state/rights.ts";
import { addressOf } from "../../state/route.ts";
import { auditTexts } from "../../texts/audit.ts";
import { textsOf } from "../../texts/texts.ts";

/**
 * Shows the user and the time of the last change before the strip was opened, and leads to the
 * audit trail.
 */
export function LastChanged(props: { readonly mixer: number; readonly fader: number }) {
  const { mixer, fader } = props;
  const isAdmin = me.value?.admin === true;
  const [text, setText] = useState<readonly [user: string, time: string]>();
  useEffect(() => {
    setText(undefined);
    if (!isAdmin) return;
    const path = `/audio/mixers/${mixer}/faders/${fader}`;
    return onOpen(() =>
      void tryRpc("getaudit", { path, outcome: "done", limit: 1 }).then(([line]) => {
        if (line !== undefined) setText([line.user ?? line.from ?? "–", timeText(line.at)]);
      }, () => {}) // A console without an audit trail has nothing to say.
    );
  }, [mixer, fader, isAdmin]);
  if (text === undefined) return null;
  return (
    <a class="small" href={addressOf("admin", "audit", mixer, fader)}>
      {textsOf(auditTexts).lastChanged(...text)}
    </a>
  );
}
