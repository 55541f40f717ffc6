import type { ComponentChildren } from "preact";
import type { RequestError } from "../../client/client.ts";
import { Button } from "../parts/button.tsx";
import { fleetRefusedTexts } from "../texts/fleet-refused.ts";
import { textsOf } from "../texts/texts.ts";

/** The properties of a refusal. */
export interface RefusedProps {
  readonly refusal: RequestError;
  readonly onAsk: () => void;
  /** The text beside the reason. */
  readonly children?: ComponentChildren;
}

/** The reason for which the hub refuses the list of a page, and the button that asks again. */
export function Refused({ refusal, onAsk, children }: RefusedProps) {
  return (
    <div class="form">
      <p role="alert" class="refusal">{refusal.message}</p>
      {children}
      <div class="toolbar">
        <Button label={textsOf(fleetRefusedTexts).again} onPress={onAsk} />
      </div>
    </div>
  );
}
