/**
 * What screen readers are told of content that changes often.
 *
 * @module
 */
import { useEffect, useRef, useState } from "preact/hooks";

/** Minimum interval in ms between two texts. */
const TOLD_MS = 5000;

/** The properties of a told text. */
export interface ToldProps {
  readonly text: string;
  /** Whether it is told at once, because no other text follows soon. */
  readonly isLast?: boolean;
}

/** A text that is not seen: screen readers are told the present one every 5 s, if it is another. */
export function Told({ text, isLast = false }: ToldProps) {
  const [told, setTold] = useState(text);
  const present = useRef(text);
  present.current = text;
  useEffect(() => {
    const timer = setInterval(() => setTold(present.current), TOLD_MS);
    return () => clearInterval(timer);
  }, []);
  return <p class="hidden" role="status">{isLast ? text : told}</p>;
}
