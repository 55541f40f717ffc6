/**
 * A button that lets the user choose a file.
 *
 * @module
 */
import { useRef } from "preact/hooks";
import { Button, type ButtonProps } from "./button.tsx";

/** The properties of a button that chooses a file. */
export interface FileButtonProps extends Omit<ButtonProps, "onPress"> {
  /** The files that the browser offers: types and extensions, separated by commas. */
  readonly accept: string;
  readonly onChoose: (file: File) => void;
}

/** A button that looks like all others, instead of the browser's own. */
export function FileButton({ accept, onChoose, ...button }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  const take = (field: HTMLInputElement) => {
    const [file] = field.files!;
    // The same file, changed since, can be chosen again.
    field.value = "";
    if (file !== undefined) onChoose(file);
  };
  return (
    <>
      <Button {...button} onPress={() => input.current!.click()} />
      <input
        ref={input}
        type="file"
        accept={accept}
        hidden
        onChange={({ currentTarget }) => take(currentTarget)}
      />
    </>
  );
}
