/**
 * The alarms of the console, as long as they last.
 *
 * @module
 */
import { useEffect } from "preact/hooks";
import { at } from "../state/live.ts";
import { notice } from "../state/notices.ts";
import { openDialogs } from "../parts/dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { consoleShellTexts } from "../texts/console-shell.ts";
import { textsOf } from "../texts/texts.ts";

/** Banners for an engine that is gone or late, and a medium that takes no writes. */
export function Alarms() {
  const { alarms } = textsOf(consoleShellTexts);
  const sentences = { none: undefined, running: undefined, ok: undefined, ...alarms };
  const states = [at("/general/_engine").value ?? "none", at("/general/_storage").value ?? "ok"];
  return (
    // An alert is atomic by itself: an alarm that comes would have the other one read out again.
    <div role="alert" aria-atomic="false">
      {states.map((state) => {
        const sentence = sentences[state];
        return sentence !== undefined && <Alarm key={state} sentence={sentence} />;
      })}
    </div>
  );
}

function Alarm({ sentence }: { readonly sentence: string }) {
  // A dialog makes the page below it inert, so that nothing of it is read out.
  useEffect(() => {
    if (openDialogs.peek() > 0) notice(sentence);
  }, []);
  return (
    <p class="alarm line" title={sentence}>
      <Icon name="warning" />
      <span>{sentence}</span>
    </p>
  );
}
