/**
 * The hand-over of a user to a device: a QR code and a link that log it in, once.
 *
 * @module
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { duration } from "../../duration.ts";
import { Button } from "../../parts/button.tsx";
import { CopyField } from "../../parts/copy-field.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Question } from "../../parts/question.tsx";
import { onEvent, onOpen, tryRpc } from "../../state/live.ts";
import { me } from "../../state/rights.ts";
import { adminTexts } from "../../texts/admin.ts";
import { handOverTexts } from "../../texts/hand-over.ts";
import { textsOf } from "../../texts/texts.ts";
import { isLoopback, isPlainHttp } from "../hand-over/address.ts";
import { QrPicture } from "./qr/qr-picture.tsx";

/** Time in minutes for which a code is valid. */
const MINUTES = 15;

/** The user of a hand-over. */
export interface HandOverProps {
  readonly name: string;
  /** Whether nobody knows the token of the user, so that there is nothing to warn of. */
  readonly isNew: boolean;
  readonly onTaken: () => void;
  readonly onClose: () => void;
}

/** Explains the consequences of a hand-over, and then shows the code. */
export function HandOver({ name, isNew, onTaken, onClose }: HandOverProps) {
  const own = textsOf(handOverTexts);
  const [isAgreed, setAgreed] = useState(isNew);
  if (isAgreed) return <Code name={name} onTaken={onTaken} onClose={onClose} />;
  const isOwn = name === me.value?.name;
  return (
    <Question
      title={own.handOver(name)}
      sentence={isOwn ? `${own.question} ${own.ownQuestion}` : own.question}
      label={own.make}
      onYes={() => Promise.resolve(setAgreed(true))}
      onClose={onClose}
    />
  );
}

/** A code, and the end of its validity, by the clock of this device. */
interface Made {
  readonly link: string;
  readonly until: number;
}

function Code({ name, onTaken, onClose }: Omit<HandOverProps, "isNew">) {
  const own = textsOf(handOverTexts);
  const [made, setMade] = useState<Made>();
  const [refusal, setRefusal] = useState<string>();
  const [state, setState] = useState<"open" | "used" | "over">("open");
  const [isMissed, setMissed] = useState(false);
  const make = () => {
    setMade(undefined);
    setRefusal(undefined);
    setState("open");
    setMissed(false);
    tryRpc("makehandover", { name, minutes: MINUTES }).then(({ code }) => {
      const link = new URL(`#/hand-over/${code}`, new URL(".", document.baseURI)).href;
      setMade({ link, until: Date.now() + MINUTES * 60_000 });
    }, (fault) => setRefusal(fault.message));
  };
  useEffect(make, [name]);
  useEffect(() =>
    onEvent(({ type, params }) => {
      if (type !== "handovertaken" || params.name !== name) return;
      setState("used");
      onTaken();
    }), [name]);
  const isFirst = useRef(true);
  useEffect(() =>
    onOpen(() => {
      if (!isFirst.current) setMissed(true);
      isFirst.current = false;
    }), []);
  const isOpen = made !== undefined && state === "open";
  return (
    <Dialog title={own.handOver(name)} onClose={onClose} isKept>
      {refusal !== undefined && <p role="alert" class="refusal">{refusal}</p>}
      {refusal === undefined && made === undefined && <p role="status">{own.making}</p>}
      {isOpen && (
        <>
          {isLoopback && <p class="refusal">{own.onlyHere}</p>}
          {isMissed && <p class="refusal">{own.missed}</p>}
          <p>{own.scan}</p>
          <QrPicture text={made.link} label={own.picture} />
          <Left until={made.until} onOver={() => setState("over")} />
          <CopyField label={own.link} text={made.link} />
          {isPlainHttp && <p class="muted small">{own.plainHttp}</p>}
        </>
      )}
      <p role="status">{state === "used" ? own.used(name) : state === "over" ? own.over : ""}</p>
      {state === "used"
        ? <Button label={textsOf(adminTexts).done} kind="primary" onPress={onClose} />
        : (state === "over" || refusal !== undefined) &&
          <Button label={own.again} kind="primary" onPress={make} />}
    </Dialog>
  );
}

/** The time that is left, which is not read out every second. */
function Left({ until, onOver }: { readonly until: number; readonly onOver: () => void }) {
  const [now, setNow] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => {
      setNow(Date.now());
      if (Date.now() >= until) onOver();
    }, 1000);
    return () => clearInterval(timer);
  }, [until]);
  return (
    <p class="muted small" aria-hidden="true">
      {textsOf(handOverTexts).left(duration(until - now))}
    </p>
  );
}
