/**
 * Routes and selectors.
 *
 * @module
 */
import { at, set } from "../../state/live.ts";
import { Button } from "../../parts/button.tsx";
import { SetSelect } from "../../parts/set-select.tsx";
import { consoleTexts } from "../../texts/console.ts";
import { textsOf } from "../../texts/texts.ts";

/** The input of an output. */
export function Route({ output }: { readonly output: number }) {
  const inputs = at("/audio/routing/inputs").value ?? {};
  const to = at(`/audio/routing/outputs/${output}`).value;
  if (to === undefined) return null;
  const text = textsOf(consoleTexts);
  return (
    <SetSelect
      class="field"
      path={`/audio/routing/routes/${output}`}
      label={text.place(to._name, to._device)}
      options={[
        ["", text.noInput],
        ...Object.entries(inputs).map(([id, { _name, _device }]) =>
          [id, text.place(_name, _device)] as const
        ),
      ]}
      needs="configure"
    />
  );
}

/** The selected source of a selector, from its list of sources. */
export function Selector({ id }: { readonly id: number }) {
  const selector = at(`/audio/selectors/selectors/${id}`).value;
  const lists = at("/audio/selectors/sourcelists").value;
  if (selector === undefined) return null;
  const { _name, _sourcelist, left, right } = selector;
  const entries = Object.entries(lists?.[Number(_sourcelist)]?.entries ?? {});
  return (
    <fieldset class="choice">
      <legend>{_name}</legend>
      <div class="choice-items toolbar">
        {entries.map(([number, { _label, _sourcel, _sourcer }]) => (
          <Button
            key={number}
            label={_label}
            needs="configure"
            isOn={_sourcel === left && _sourcer === right}
            onPress={() =>
              set(`/audio/selectors/selectors/${id}`, { left: _sourcel, right: _sourcer })}
          />
        ))}
        {entries.length === 0 && <p class="muted">{textsOf(consoleTexts).sides(left, right)}</p>}
      </div>
    </fieldset>
  );
}
