import { Icon } from "../parts/icon.tsx";
import { fleetRefusedTexts } from "../texts/fleet-refused.ts";
import { textsOf } from "../texts/texts.ts";

/** The properties of the sentence. */
export interface NotAdminProps {
  /** The reason for which the page is for admins, if it is not obvious. */
  readonly sentence?: string;
}

/** The sentence in place of a page that is for admins of the whole fleet. */
export function NotAdmin({ sentence = textsOf(fleetRefusedTexts).forAdmins }: NotAdminProps) {
  return (
    <p class="card line">
      <Icon name="lock" />
      <span>{sentence}</span>
    </p>
  );
}
