/**
 * The colour and the sign of a channel.
 *
 * @module
 */
import { forbids } from "../../../state/rights.ts";
import { changeViewDocument, viewDocument } from "../../../state/view-document.ts";
import { groupsTexts } from "../../../texts/groups.ts";
import { textsOf } from "../../../texts/texts.ts";
import { COLOURS, type Look, lookIn, withLook } from "./document.ts";
import { isSign, SignIcon, SIGNS } from "./icons.tsx";

/** The mark of a channel in the document `strips`. */
function lookOf(channel: number): Look {
  return lookIn(viewDocument("strips").value?.document, channel);
}

/** A channel, by its number; 0 is none. */
export interface ChannelProps {
  readonly channel: number;
}

/** Shows the colour and the sign in the head of a strip; nothing if the channel has neither. */
export function ChannelLook({ channel }: ChannelProps) {
  const { colour, icon } = lookOf(channel);
  const sign = isSign(icon) ? icon : undefined;
  if (channel === 0 || (colour === undefined && sign === undefined)) return null;
  const text = textsOf(groupsTexts);
  const words = [sign && text.icons[sign], colour && text.colours[colour]];
  const title = words.filter((word) => word !== undefined).join(", ");
  return (
    <span class="look" data-colour={colour} role="img" aria-label={title} title={title}>
      {sign && <SignIcon name={sign} />}
    </span>
  );
}

/** Offers all colours and signs. */
export function LookChoice({ channel }: ChannelProps) {
  const text = textsOf(groupsTexts);
  if (channel === 0) return <p class="muted small">{text.noSource}</p>;
  const { colour, icon } = lookOf(channel);
  return (
    <div class="look-choice">
      <Offer
        channel={channel}
        member="colour"
        title={text.colour}
        chosen={colour}
        items={COLOURS.map((name) => ({ name, title: text.colours[name] }))}
      />
      <Offer
        channel={channel}
        member="icon"
        title={text.icon}
        chosen={icon}
        items={SIGNS.map((name) => ({ name, title: text.icons[name] }))}
      />
    </div>
  );
}

interface OfferProps extends ChannelProps {
  readonly member: keyof Look;
  readonly title: string;
  readonly chosen: string | undefined;
  readonly items: readonly { readonly name: string; readonly title: string }[];
}

/**
 * A button for each item; the button of the value in force is on, and a second press removes the
 * value.
 */
function Offer({ channel, member, title, chosen, items }: OfferProps) {
  const reason = forbids("configure");
  const choose = (name: string) =>
    changeViewDocument(
      "strips",
      (document) => withLook(document, channel, member, name === chosen ? "" : name),
    );
  return (
    <fieldset class="choice" disabled={reason !== undefined} title={reason}>
      <legend>{title}</legend>
      <div class="looks">
        {items.map((item) => (
          <button
            key={item.name}
            type="button"
            class="look-item"
            data-colour={member === "colour" ? item.name : undefined}
            aria-label={item.title}
            title={item.title}
            aria-pressed={item.name === chosen}
            onClick={() => choose(item.name)}
          >
            {isSign(item.name) && <SignIcon name={item.name} />}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
