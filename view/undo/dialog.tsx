/**
 * The last changes of the console, and the effect of the undo of the chosen one.
 *
 * @module
 */
import { useEffect, useRef, useState } from "preact/hooks";
import type { RpcResult } from "../../client/client.ts";
import type { Ranges } from "../../core/tree/leaf.ts";
import type { Branch } from "../../core/tree/tree.ts";
import { readResources, type Resources } from "../pages/snapshots/targets.ts";
import { Button } from "../parts/button.tsx";
import { Check } from "../parts/check.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { DifferenceLines } from "../parts/difference-lines.tsx";
import { Ends } from "../parts/ends.tsx";
import { recentText } from "../parts/time-text.ts";
import { at, onOpen, read, rpc, tryRpc } from "../state/live.ts";
import { notice } from "../state/notices.ts";
import { forbids } from "../state/rights.ts";
import { usePolling } from "../state/polled.ts";
import { texts, textsOf } from "../texts/texts.ts";
import { undoTexts } from "../texts/undo.ts";
import { namesAt, placeOf } from "./place.ts";
import { type Standing, standing, type Step } from "./standing.ts";

/** The properties of the dialog. */
export interface UndoDialogProps {
  readonly onClose: () => void;
}

/** Lists the steps, the newest first, which is chosen at first; undoes the chosen step. */
export function UndoDialog({ onClose }: UndoDialogProps) {
  const own = textsOf(undoTexts);
  const [list, setList] = useState<RpcResult<"getundolist">>();
  const [resources, setResources] = useState<Resources>();
  const [chosen, setChosen] = useState<number>();
  const [refusal, setRefusal] = useState<string>();
  const ask = () =>
    void tryRpc("getundolist", {}).then(setList, ({ message }: Error) => setRefusal(message));
  usePolling(ask);
  useEffect(
    () => onOpen(() => void readResources().then((given) => given && setResources(given))),
    [],
  );
  // The newest step is chosen at first, and stays chosen while newer steps come, even once they have
  // pushed it off the list: the user would undo another one unawares.
  useEffect(() => setChosen((now) => now ?? list?.[0]?.step), [list]);
  // The dialog took the focus before there was a step to choose, so the focus is set here.
  const choices = useRef<HTMLFieldSetElement>(null);
  const isAnyChosen = chosen !== undefined;
  useEffect(() => {
    if (isAnyChosen) choices.current!.querySelector<HTMLInputElement>("input:checked")?.focus();
  }, [isAnyChosen]);
  const step = list?.find((one) => one.step === chosen);
  return (
    <Dialog title={own.undo} onClose={onClose}>
      {list === undefined && refusal === undefined && <p class="muted">{texts().shell.loading}</p>}
      {list === undefined && refusal !== undefined && (
        <p role="status" class="refusal">{forbids("operate") ?? refusal}</p>
      )}
      {list?.length === 0 && <p>{own.none}</p>}
      <fieldset ref={choices} class="undo-steps" hidden={!list?.length}>
        <legend class="hidden">{own.steps}</legend>
        {list?.map((one) => (
          <StepChoice
            key={one.step}
            step={one}
            resources={resources}
            isChosen={one.step === chosen}
            onChoose={() => setChosen(one.step)}
          />
        ))}
      </fieldset>
      {step?.path === undefined
        ? (
          <>
            {isAnyChosen && <p role="status">{step === undefined ? own.isGone : own.tooLarge}</p>}
            <Ends onCancel={onClose}>{null}</Ends>
          </>
        )
        : (
          <Chosen
            key={step.step}
            step={step}
            path={step.path}
            resources={resources}
            onClose={onClose}
          />
        )}
    </Dialog>
  );
}

interface StepChoiceProps {
  readonly step: Step;
  readonly resources: Resources | undefined;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}

function StepChoice({ step, resources, isChosen, onChoose }: StepChoiceProps) {
  const own = textsOf(undoTexts);
  const { at, user = own.nobody, values } = step;
  return (
    <label class="check undo-step">
      <input type="radio" name="undo-step" checked={isChosen} onChange={onChoose} />
      <span>
        <bdi>{titleOf(step)}</bdi>: <bdi>{resources && placeOf(step, resources)}</bdi>
        <small class="muted">
          {recentText(at)} · <bdi>{user}</bdi> · {own.values(values)}
        </small>
      </span>
    </label>
  );
}

/** Names the change of a step. */
function titleOf({ what, subject = "" }: Step): string {
  const { calls } = textsOf(undoTexts);
  if (what.startsWith("load")) return calls.load(subject);
  if (what === "fadetovalue") return calls.fade;
  if (what === "undo") return calls.undo;
  return what.endsWith("label") ? calls.label : calls.set;
}

interface ChosenProps {
  readonly step: Step;
  readonly path: string;
  readonly resources: Resources | undefined;
  readonly onClose: () => void;
}

/** Shows the effect of the undo of a step, live, and undoes it. */
function Chosen({ step, path, resources, onClose }: ChosenProps) {
  const own = textsOf(undoTexts);
  const [isForced, setForced] = useState(false);
  const now = useStanding(step, path);
  const found = now && [...now.back, ...isForced ? now.changed : []];
  const undo = async () => {
    const answer = await rpc("undo", { step: step.step, force: isForced });
    if (answer === undefined) return;
    notice(own.undone(answer.restored));
    onClose();
  };
  const isKnown = found !== undefined && resources !== undefined;
  const isNothing = found?.length === 0;
  const isBeyond = found?.some(({ needs }) => needs === "configure") ?? false;
  return (
    <>
      {!isKnown
        ? <p class="muted">{texts().shell.loading}</p>
        : isNothing
        ? <p>{own.isBack}</p>
        : <DifferenceLines found={found} names={namesAt(path, resources)} />}
      {now !== undefined && now.changed.length > 0 && (
        <Check
          label={own.force(now.changed.length)}
          hint={own.forceHint(now.changed.length)}
          isOn={isForced}
          onChange={setForced}
        />
      )}
      <Ends onCancel={onClose}>
        <Button
          label={own.undo}
          kind="primary"
          needs={isBeyond ? "configure" : "operate"}
          reason={!isKnown ? texts().shell.loading : isNothing ? own.isBack : undefined}
          onPress={undo}
        />
      </Ends>
    </>
  );
}

/**
 * The values of a step, compared with the values in force as they change; undefined until they are
 * known.
 */
function useStanding({ step, at: time }: Step, path: string): Standing | undefined {
  const [whole, setWhole] = useState<Step>();
  const [ranges, setRanges] = useState<Ranges>();
  const node = at(path as string).value as Branch | undefined;
  const now = node && whole && ranges && standing(whole, node, ranges);
  // The step is read again when another change touches its values, which may need another right.
  const changed = now?.changed.length ?? 0;
  useEffect(
    () =>
      onOpen(() =>
        void tryRpc("getundolist", { step }).then(
          ([one]) => setWhole(one),
          () => setWhole(undefined),
        )
      ),
    [step, time, changed],
  );
  useEffect(
    () =>
      onOpen(() =>
        void read(`/range${path}` as string).then((all) => all && setRanges(all as Ranges))
      ),
    [path],
  );
  return now;
}
