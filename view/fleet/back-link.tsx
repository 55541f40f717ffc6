import { useEffect, useRef } from "preact/hooks";
import { Icon } from "../parts/icon.tsx";
import { fleetTexts } from "../texts/fleet.ts";
import { textsOf } from "../texts/texts.ts";

/**
 * The link from an opened console back to the list. It takes the focus, which the list had before.
 */
export function BackLink({ href }: { readonly href: string }) {
  const element = useRef<HTMLAnchorElement>(null);
  useEffect(() => element.current!.focus(), []);
  return (
    <a ref={element} class="button" href={href}>
      <Icon name="left" />
      {textsOf(fleetTexts).back}
    </a>
  );
}
