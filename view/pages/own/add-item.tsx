/**
 * The form by which an item is added to an own page.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import { OWN_PAGE_TEXT_LENGTH } from "../../../core/limits.ts";
import { Check } from "../../parts/check.tsx";
import { onOpen } from "../../state/live.ts";
import { ownTexts } from "../../texts/own.ts";
import { texts, textsOf } from "../../texts/texts.ts";
import { TargetField } from "../snapshots/target-field.tsx";
import type { Target } from "../snapshots/targets.ts";
import { type Choice, CHOICES, type Option, optionsOf, targetsFor } from "./options.ts";
import type { Item } from "./own-page.ts";

/** The items of a kind that the console has, and their targets. */
interface Offered {
  readonly kind: Choice;
  readonly options: readonly Option[];
  readonly targets: readonly Target[] | undefined;
}

/** Chooses a kind, and then an item of it. */
export function AddItem({ onAdd }: { readonly onAdd: (item: Item) => void }) {
  const own = textsOf(ownTexts);
  const [kind, setKind] = useState<Choice>("strip");
  const [offered, setOffered] = useState<Offered>();
  /** The chosen option, as text: its number may name another one once the console is asked again. */
  const [chosen, setChosen] = useState<string>();
  const [target, setTarget] = useState<Target>();
  const [asks, setAsks] = useState(true);
  const [text, setText] = useState("");
  useEffect(() => {
    let isOver = false;
    const end = onOpen(async () => {
      const found = kind === "text" ? [] : await optionsOf(kind);
      const targets = await targetsFor(kind);
      if (isOver) return;
      // There are no targets, either, if the connection was lost again: the chosen one stays.
      setTarget((now) =>
        targets?.length === 0
          ? now
          : targets?.find(({ path }) => path === now?.path) ?? targets?.[0]
      );
      // Items without a target are not offered.
      setOffered({ kind, options: targets?.length === 0 ? [] : found, targets });
    });
    return () => {
      isOver = true;
      end();
    };
  }, [kind]);
  // An item of another kind does not belong to this kind, even if it has the same name.
  const { options, targets } = offered?.kind === kind ? offered : {};
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
