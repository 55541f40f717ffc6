/**
 * One of a few: buttons side by side, of which one is on.
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

/** Shows all that may be chosen, and which is. */
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
