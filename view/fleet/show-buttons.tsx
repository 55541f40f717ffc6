import { Button } from "../parts/button.tsx";
import { fleetTexts } from "../texts/fleet.ts";
import { textsOf } from "../texts/texts.ts";

/** The properties of the buttons. */
export interface ShowButtonsProps<Show extends string> {
  readonly shows: readonly Show[];
  readonly shown: Show;
  readonly texts: Readonly<Record<Show, string>>;
  /** The number of consoles or lines that each of them shows. */
  readonly counts: Readonly<Record<Show, number>>;
  readonly onShow: (show: Show) => void;
}

/** The buttons that choose a part of a list, each with the number of rows that it shows. */
export function ShowButtons<Show extends string>(
  { shows, shown, texts, counts, onShow }: ShowButtonsProps<Show>,
) {
  return (
    <div class="toolbar" role="group" aria-label={textsOf(fleetTexts).shown}>
      {shows.map((show) => (
        <Button
          key={show}
          label={`${texts[show]} ${counts[show]}`}
          isOn={show === shown}
          onPress={() => onShow(show)}
        />
      ))}
    </div>
  );
}
