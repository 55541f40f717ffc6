/**
 * The page Do: the user ticks consoles and fills in a request, and the page shows the result beside
 * each.
 *
 * @module
 */
import { useRef, useState } from "preact/hooks";
import type { RequestError } from "../../client/client.ts";
import type { FleetRpcResult } from "../../fleet/api/rpc-methods.ts";
import { Button } from "../parts/button.tsx";
import { fleetTexts } from "../texts/fleet.ts";
import { fleetDoTexts } from "../texts/fleet-do.ts";
import { texts, textsOf } from "../texts/texts.ts";
import { BatchResults } from "./batch-results.tsx";
import { Chooser } from "./chooser.tsx";
import { consoles, hubRpc } from "./hub.ts";
import { BLANK, orderOf, preparedIn } from "./order.ts";
import { OrderForm } from "./order-form.tsx";
import { Previews } from "./previews.tsx";
import type { PageProps } from "./page-props.ts";
import { consolesIn } from "./rows.ts";
import { useCollator } from "./use-collator.ts";

/** The content below the form: the consoles to tick, a preview, or the results of a batch. */
type Shown =
  | undefined
  | { readonly previews: Previewed }
  | { readonly batch: string };

type Previewed = Extract<FleetRpcResult<"fleetdo">, { readonly preview: unknown }>["preview"];

/** Number of bytes of the id of a batch. */
const ID_BYTES = 16;

/** The page `#/do`; its address may tick consoles and fill in a value ({@link preparedIn}). */
export function Do({ parts }: PageProps) {
  return <Filled key={parts.join("/")} parts={parts} />;
}

/** The page as one address opens it. */
function Filled({ parts }: PageProps) {
  const own = textsOf(fleetDoTexts);
  const [prepared] = useState(() => preparedIn(parts));
  const [draft, setDraft] = useState({ ...BLANK, ...prepared.draft });
  const [ticked, setTicked] = useState(prepared.ticked);
  const [shown, setShown] = useState<Shown>();
  const [isBusy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const collator = useCollator();
  const known = consoles.value;
  const all = known === undefined
    ? []
    : consolesIn(known).filter(({ _state }) => _state !== "quarantined");
  const ids = all.filter(({ _id }) => ticked.has(_id)).map(({ _id }) => _id);
  const order = orderOf(draft);
  const filled = useRef({ draft, ticked });
  filled.current = { draft, ticked };
  const reason = isBusy
    ? own.busy
    : ids.length === 0
    ? own.noneTicked
    : order === undefined
    ? own.unfilled
    : undefined;

  /** Asks the hub; shows its answer, or the reason of its refusal, or `ifLost` without an answer. */
  async function ask(work: () => Promise<Shown>, ifLost?: Shown): Promise<void> {
    setBusy(true);
    setRefusal(undefined);
    await work().then(setShown, ({ code, message }: RequestError) => {
      setRefusal(message);
      if (code === "lost" && ifLost !== undefined) setShown(ifLost);
    });
    setBusy(false);
  }

  /** Gives an order, and shows its batch; also if the answer is lost: the hub may have taken it. */
  function give(order: (id: string) => Promise<unknown>): Promise<void> {
    const batch = newId();
    return ask(() => order(batch).then(() => ({ batch })), { batch });
  }

  const preview = () =>
    ask(async () => {
      const done = await hubRpc("fleetdo", { ...order!, select: { ids }, preview: true });
      // The preview takes seconds, in which another request may have been filled in.
      const { current } = filled;
      const isOfForm = current.draft === draft && current.ticked === ticked;
      return isOfForm && "preview" in done ? { previews: done.preview } : undefined;
    });
  const run = () => give((id) => hubRpc("fleetdo", { ...order!, select: { ids }, id }));
  const again = (batch: string) => give((id) => hubRpc("fleetagain", { batch, id }));

  return (
    <>
      <OrderForm
        draft={draft}
        onChange={(part) => {
          setDraft({ ...draft, ...part });
          if (shown !== undefined && "previews" in shown) setShown(undefined);
        }}
      />
      <div class="toolbar">
        <Button label={own.preview} needs="operate" reason={reason} onPress={preview} />
        <Button label={own.run} kind="primary" needs="operate" reason={reason} onPress={run} />
        {shown !== undefined && (
          <Button
            label={textsOf(fleetTexts).back}
            icon="left"
            onPress={() => setShown(undefined)}
          />
        )}
        <span class="space" />
        <span class="muted small" role="status">
          {isBusy ? own.busy : own.ticked(ids.length)}
        </span>
      </div>
      {refusal !== undefined && <p role="alert" class="refusal">{refusal}</p>}
      {known === undefined && <p class="muted">{texts().shell.loading}</p>}
      {known !== undefined && all.length === 0 && <p>{textsOf(fleetTexts).none}</p>}
      {shown === undefined
        ? <Chooser all={all} collator={collator} ticked={ticked} onTick={setTicked} />
        : "previews" in shown
        ? <Previews previews={shown.previews} />
        : (
          <BatchResults
            key={shown.batch}
            batch={shown.batch}
            onAgain={() => void again(shown.batch)}
          />
        )}
    </>
  );
}

/** Makes an id, by which a request that is sent twice is carried out once. */
function newId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(ID_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
