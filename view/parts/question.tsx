/**
 * A confirmation before an action that cannot be undone.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Ends } from "./ends.tsx";

/** The properties of a confirmation. */
export interface QuestionProps {
  readonly title: string;
  /** A sentence that describes the consequences. */
  readonly sentence: string;
  /** The action, as the text of the button. */
  readonly label: string;
  /** By default `danger`, for an action that cannot be undone. */
  readonly kind?: "primary" | "danger";
  /** Carries out the action; a refusal is shown. */
  readonly onYes: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks for confirmation, and describes the consequences. */
export function Question(props: QuestionProps) {
  const { title, sentence, label, kind = "danger", onYes, onClose } = props;
  const [refusal, setRefusal] = useState<string>();
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{sentence}</p>
      {refusal !== undefined && <p role="alert" class="refusal">{refusal}</p>}
      <Ends onCancel={onClose}>
        <Button
          label={label}
          kind={kind}
          onPress={() => onYes().catch((fault) => setRefusal(fault.message))}
        />
      </Ends>
    </Dialog>
  );
}
