/**
 * What is heard where: routes and selectors.
 *
 * @module
 */
import { at, set } from "../../live.ts";
import { Button } from "../../parts/button.tsx";
import { putBackIfRefused } from "../../parts/put-back.ts";
import { forbids } from "../../rights.ts";
import { texts } from "../../texts/texts.ts";

/** Which input an output has. */
export function Route({ output }: { readonly output: number }) {
  const inputs = at("/audio/routing/inputs").value ?? {};
  const to = at(`/audio/routing/outputs/${output}`).value;
  const own = `/audio/routing/routes/${output}` as const;
  const route = at(own).value;
  if (to === undefined || route === undefined) return null;
  const text = texts().console;
  const reason = forbids("configure");
  return (
    <label class="field">
      <span>{text.place(to._name, to._device)}</span>
      <select
        value={route}
        disabled={reason !== undefined}
        title={reason}
        onChange={({ currentTarget }) =>
          putBackIfRefused(
            set(own, currentTarget.value),
            () => currentTarget.value = at(own).peek() ?? route,
          )}
      >
        <option value="">{text.noInput}</option>
        {Object.entries(inputs).map(([id, { _name, _device }]) => (
          <option key={id} value={id}>{text.place(_name, _device)}</option>
        ))}
      </select>
    </label>
  );
}

/** What a selector selects, of its list of sources. */
export function Selector({ id }: { readonly id: number }) {
  const selector = at(`/audio/selectors/selectors/${id}`).value;
  const lists = at("/audio/selectors/sourcelists").value;
  if (selector === undefined) return null;
  const { _name, _sourcelist, left, right } = selector;
  const entries = Object.entries(lists?.[Number(_sourcelist)]?.entries ?? {});
  return (
    <fieldset class="choice">
      <legend>{_name}</legend>
      <div class="choice-items">
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
        {entries.length === 0 && <p class="muted">{texts().console.sides(left, right)}</p>}
      </div>
    </fieldset>
  );
}
