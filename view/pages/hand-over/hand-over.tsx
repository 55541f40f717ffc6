/**
 * The other side of a hand-over: the device that has opened the link logs in.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Ends } from "../../parts/ends.tsx";
import { logIn, me, tabToken } from "../../state/rights.ts";
import { addressOf } from "../../state/route.ts";
import { handOverTexts } from "../../texts/hand-over.ts";
import { texts, textsOf } from "../../texts/texts.ts";
import { isPlainHttp } from "./address.ts";

/** The login that a code gives. */
interface Taken {
  readonly name: string;
  readonly token: string;
}

/** The code, which is a part of the address. */
export interface HandOverPageProps {
  readonly parts: readonly string[];
}

/** `#/hand-over/CODE`: asks before it uses up the code, and then whether to keep the login. */
export function HandOverPage({ parts: [code] }: HandOverPageProps) {
  const own = textsOf(handOverTexts);
  const [used, setTaken] = useState<Taken>();
  const [refusal, setRefusal] = useState<string>();
  const [isWorthless, setWorthless] = useState(false);
  const [isAsked, setAsked] = useState(false);
  // Only this page keeps the code: the history of the browser does not contain it.
  useEffect(() => {
    history.replaceState(null, "", addressOf("hand-over"));
    setTaken(undefined);
    setRefusal(undefined);
    setWorthless(false);
  }, [code]);
  const close = () => location.replace(addressOf("mixer"));
  const take = async () => {
    setAsked(true);
    setRefusal(undefined);
    try {
      const { name, token } = await takeHandover(code!);
      logIn(token, false);
      setTaken({ name, token });
    } catch (fault) {
      const isCode = fault instanceof Refused && fault.code === NOT_LOGGED_IN;
      setWorthless(isCode);
      setRefusal(
        isCode ? own.worthless : fault instanceof Refused ? fault.message : own.unanswered,
      );
    }
    setAsked(false);
  };
  const before = me.value?.name ?? undefined;
  // A reload has no code any more, and asks again whether to keep the login that it brought.
  const token = code === undefined ? tabToken() : undefined;
  const taken = used ??
    (token !== undefined && before !== undefined ? { name: before, token } : undefined);
  if (taken !== undefined) {
    return (
      <Dialog key="taken" title={own.device(taken.name)} onClose={close} isKept>
        <p>{own.keepQuestion}</p>
        <div class="toolbar ends">
          <Button label={own.notKept} onPress={close} />
          <Button
            label={own.keep}
            kind="primary"
            onPress={() => {
              logIn(taken.token, true);
              close();
            }}
          />
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog title={own.title} onClose={close} isKept>
      <p>{code === undefined ? own.noCode : own.takes}</p>
      {code !== undefined && before !== undefined && <p>{own.replaces(before)}</p>}
      {code !== undefined && isPlainHttp && <p class="muted small">{own.plainHttp}</p>}
      {refusal !== undefined && <p role="alert" class="refusal">{refusal}</p>}
      <Ends onCancel={close}>
        {code !== undefined && !isWorthless && (
          <Button
            label={texts().shell.logIn}
            kind="primary"
            reason={isAsked ? own.title : undefined}
            onPress={take}
          />
        )}
      </Ends>
    </Dialog>
  );
}

/** The error code of an invalid hand-over code: docs/interfaces.md. */
const NOT_LOGGED_IN = 4;

/** A refusal of the console, whose message gives the reason. */
class Refused extends Error {
  constructor(readonly code: number, message: string) {
    super(message);
  }
}

/**
 * Uses up the code over HTTP, so that the answer comes even if the connection of the page, which
 * may have another login, is lost.
 */
async function takeHandover(code: string): Promise<Taken> {
  const payload = { method: "takehandover", params: { code } };
  const answer = await fetch("api/rest", {
    method: "POST",
    body: JSON.stringify({ method: "rpc", payload }),
  });
  const { success, error, payload: given } = await answer.json();
  if (!success) throw new Refused(error.code, error.message);
  return given.result;
}
