/**
 * A question before what is not undone.
 *
 * @module
 */
import { useState } from "preact/hooks";
import { Button } from "./button.tsx";
import { Dialog } from "./dialog.tsx";
import { Ends } from "./ends.tsx";

/** What is asked. */
export interface QuestionProps {
  readonly title: string;
  /** What follows. */
  readonly sentence: string;
  /** What is done, on the button. */
  readonly label: string;
  /** Does it; what it is refused with is shown. */
  readonly onYes: () => Promise<void>;
  readonly onClose: () => void;
}

/** Asks once more, and says what follows. */
export function Question({ title, sentence, label, onYes, onClose }: QuestionProps) {
  const [refusal, setRefusal] = useState<string>();
  return (
    <Dialog title={title} onClose={onClose}>
      <p>{sentence}</p>
      {refusal !== undefined && <p role="alert" class="refusal">{refusal}</p>}
      <Ends onCancel={onClose}>
        <Button
          label={label}
          kind="danger"
          onPress={() => onYes().catch((fault) => setRefusal(fault.message))}
        />
      </Ends>
    </Dialog>
  );
}
