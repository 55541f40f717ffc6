/**
 * The form by which an item is added to an own page.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { OWN_PAGE_TEXT_LENGTH } from "../../../core/limits.ts";
import { Check } from "../../parts/check.tsx";
import { ownTexts } from "../../texts/own.ts";
import { texts, textsOf } from "../../texts/texts.ts";
import { TargetField } from "../snapshots/target-field.tsx";
import { type Choice, CHOICES } from "./options.ts";
import type { Item } from "./own-page.ts";
import { useOffered } from "./use-offered.ts";

/** Chooses a kind, and then an item of it. */
export function AddItem({ onAdd }: { readonly onAdd: (item: Item) => void }) {
  const own = textsOf(ownTexts);
  const [kind, setKind] = useState<Choice>("strip");
  /** The chosen option, as text: its number may name another one once the console is asked again. */
  const [chosen, setChosen] = useState<string>();
  const [asks, setAsks] = useState(true);
  const [text, setText] = useState("");
  const { options, targets, target, setTarget } = useOffered(kind);
  const place = Math.max(0, options?.findIndex((one) => JSON.stringify(one.item) === chosen) ?? 0);
  const option = options?.[place];
  const choose = (at: number) => setChosen(JSON.stringify(options?.[at]?.item));
  const add = () => {
    if (kind === "text") {
      onAdd({ kind, text: text.trim() });
      setText("");
      return;
    }
    if (option === undefined) return;
    const { item } = option;
    onAdd("asks" in item ? { ...item, ...target?.params, asks } : item);
    // One snapshot is likely to be loaded to several targets.
    if (targets !== undefined) return;
    // The user is likely to add the following item next.
    choose(Math.min(place + 1, options!.length - 1));
  };
  return (
    <form
      class="own-add"
      aria-label={own.addItem}
      onSubmit={(event) => {
        event.preventDefault();
        add();
      }}
    >
      <label class="field">
        <span>{own.what}</span>
        <select
          value={kind}
          onChange={({ currentTarget: { value } }) => {
            setKind(value as Choice);
            setChosen(undefined);
          }}
        >
          {CHOICES.map((one) => <option key={one} value={one}>{own.kinds[one]}</option>)}
        </select>
      </label>
      {kind === "text"
        ? (
          <label class="field">
            <span>{own.text}</span>
            <input
              required
              pattern=".*\S.*"
              maxLength={OWN_PAGE_TEXT_LENGTH}
              autocomplete="off"
              value={text}
              onInput={({ currentTarget: { value } }) => setText(value)}
            />
          </label>
        )
        : options?.length === 0
        ? <p class="muted">{own.nothing}</p>
        : (
          <label class="field">
            <span>{own.which}</span>
            <select
              value={place}
              onChange={({ currentTarget: { value } }) => choose(Number(value))}
            >
              {options === undefined && <option>{texts().shell.loading}</option>}
              {options?.map((one, at) => <option key={at} value={at}>{one.text}</option>)}
            </select>
          </label>
        )}
      {targets !== undefined && targets.length > 0 && target !== undefined && (
        <TargetField label={own.target} targets={targets} target={target} onChoose={setTarget} />
      )}
      {option !== undefined && "asks" in option.item && (
        <Check label={own.asks} isOn={asks} onChange={setAsks} />
      )}
      <button type="submit" class="button">{own.addItem}</button>
    </form>
  );
}
