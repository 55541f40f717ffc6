/**
 * The bar of the page Drift: it chooses the other side of the comparison, and makes and removes
 * templates.
 *
 * @module
 */
import { useState } from "preact/hooks";
import type { FleetRpcResult } from "../../fleet/api/rpc-methods.ts";
import { Button } from "../parts/button.tsx";
import { Question } from "../parts/question.tsx";
import { addressOf } from "../state/route.ts";
import { fleetDriftTexts } from "../texts/fleet-drift.ts";
import { textsOf } from "../texts/texts.ts";
import type { Compared } from "./compared.ts";
import { ComparedSelect } from "./compared-select.tsx";
import type { FleetConsole } from "./console.ts";
import { hubRpc } from "./hub.ts";
import type { Answer } from "./hub-answer.ts";
import { TemplateForm } from "./template-form.tsx";

/** The properties of the bar. */
export interface DriftBarProps {
  readonly all: readonly FleetConsole[];
  readonly other: Compared | undefined;
  readonly templates: Answer<FleetRpcResult<"fleettemplatelist">>;
  /** Called when the templates have changed. */
  readonly onChange: () => void;
}

/** The bar. */
export function DriftBar(
  { all, other, templates: { result = [], refusal }, onChange }: DriftBarProps,
) {
  const own = textsOf(fleetDriftTexts);
  const [asked, setAsked] = useState<"save" | "remove">();
  const chosen = result.find(({ name }) =>
    other !== undefined && "template" in other && other.template === name
  );
  const close = () => setAsked(undefined);
  const changed = (...address: readonly string[]) => {
    close();
    onChange();
    location.hash = addressOf("drift", ...address);
  };
  return (
    <>
      <div class="toolbar fleet-look">
        <ComparedSelect
          all={all}
          templates={result}
          other={other}
          onChoose={(kind, name) => location.hash = addressOf("drift", kind, name)}
        />
        <span class="space" />
        {chosen !== undefined && (
          <Button
            label={own.remove}
            icon="trash"
            needs="configure"
            onPress={() => setAsked("remove")}
          />
        )}
        <Button
          label={own.save}
          icon="plus"
          needs="configure"
          reason={refusal?.message}
          onPress={() => setAsked("save")}
        />
      </div>
      {refusal !== undefined && <p class="muted small">{own.noTemplates(refusal.message)}</p>}
      {asked === "save" && (
        <TemplateForm
          all={all}
          templates={result}
          onClose={close}
          onSaved={(name) => changed("template", name)}
        />
      )}
      {asked === "remove" && chosen !== undefined && (
        <Question
          title={own.removeTitle(chosen.name)}
          sentence={own.removeQuestion}
          label={own.remove}
          onYes={async () => {
            await hubRpc("fleettemplateremove", { name: chosen.name });
            changed();
          }}
          onClose={close}
        />
      )}
    </>
  );
}
