/**
 * The alarms of the console, as long as they last.
 *
 * @module
 */
import { at } from "../state/live.ts";
import { Icon } from "../parts/icon.tsx";
import { consoleShellTexts } from "../texts/console-shell.ts";
import { textsOf } from "../texts/texts.ts";

/** Banners for an engine that is gone or late, and a medium that takes no writes. */
export function Alarms() {
  const { alarms } = textsOf(consoleShellTexts);
  const storage = at("/general/_storage").value ?? "ok";
  const sentences = [
    {
      none: undefined,
      running: undefined,
      late: alarms.engineLate,
      lost: alarms.engineLost,
    }[at("/general/_engine").value ?? "none"],
    {
      ok: undefined,
      slow: alarms.storageSlow,
      full: alarms.storageFull,
      readonly: alarms.storageReadonly,
      damaged: alarms.storageDamaged,
    }[storage],
  ].filter((sentence) => sentence !== undefined);
  return (
    <div role="alert">
      {sentences.map((sentence) => (
        <p class="alarm line" key={sentence} title={sentence}>
          <Icon name="warning" />
          <span>{sentence}</span>
        </p>
      ))}
    </div>
  );
}
