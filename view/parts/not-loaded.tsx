import { texts } from "../texts/texts.ts";

/** The message instead of a part of the page that could not be loaded. */
export function NotLoaded() {
  const { shell: text } = texts();
  // The console may have another version by now, whose page has other files.
  return (
    <div class="form">
      <p>{text.notLoaded}</p>
      <button type="button" class="button" onClick={() => location.reload()}>
        {text.loadAgain}
      </button>
    </div>
  );
}
