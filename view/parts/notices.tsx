/**
 * The notices at the edge of the page.
 *
 * @module
 */
import { Button } from "./button.tsx";
import { dismiss, notices } from "../state/notices.ts";
import { texts } from "../texts/texts.ts";

/** Shows the notices; a screen reader reads each out when it comes. */
export function Notices() {
  return (
    <div class="notices" role="status" aria-atomic="false">
      {notices.value.map(({ id, text }) => (
        <div class="notice line" key={id}>
          <p>{text}</p>
          <Button
            label={texts().shell.dismiss}
            icon="close"
            isBare
            onPress={() => dismiss(id)}
          />
        </div>
      ))}
    </div>
  );
}
