/**
 * A choice of one of a few options: buttons side by side, one of which is on.
 *
 * @module
 */

/** The properties of a choice. */
export interface ChoiceProps<Item extends string> {
  /** Its name, in words. */
  readonly label: string;
  readonly items: readonly Item[];
  readonly chosen: Item;
  readonly textOf: (item: Item) => string;
  readonly onChoose: (item: Item) => void;
}

/** Shows all options, and the chosen one. */
export function Choice<Item extends string>(props: ChoiceProps<Item>) {
  const { label, items, chosen, textOf, onChoose } = props;
  return (
    <fieldset class="choice">
      <legend>{label}</legend>
      <div class="choice-items toolbar">
        {items.map((item) => (
          <button
            type="button"
            key={item}
            class="button"
            aria-pressed={item === chosen}
            onClick={() => onChoose(item)}
          >
            {textOf(item)}
          </button>
        ))}
      </div>
    </fieldset>
  );
}
