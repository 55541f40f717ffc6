/**
 * The enrolment of a console: a code, and the command that uses it.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import type { FleetRpcResult } from "../../fleet/api/rpc-methods.ts";
import { CopyField } from "../parts/copy-field.tsx";
import { Dialog } from "../parts/dialog.tsx";
import { recentText } from "../parts/time-text.ts";
import { fleetTexts } from "../texts/fleet.ts";
import { texts, textsOf } from "../texts/texts.ts";
import { hubRpc } from "./hub.ts";

/** Asks the hub for a code, and shows it. */
export function Enrol({ onClose }: { readonly onClose: () => void }) {
  const own = textsOf(fleetTexts);
  const [made, setMade] = useState<FleetRpcResult<"fleetenrolcode">>();
  const [refusal, setRefusal] = useState<string>();
  useEffect(() => {
    hubRpc("fleetenrolcode", {}).then(setMade, (fault) => setRefusal(fault.message));
  }, []);
  const hub = new URL(".", document.baseURI).href.replace(/\/$/, "");
  return (
    <Dialog title={own.enrol} onClose={onClose} isKept>
      {refusal !== undefined && <p role="alert" class="refusal">{refusal}</p>}
      {made === undefined && refusal === undefined && <p class="muted">{texts().shell.loading}</p>}
      {made !== undefined && (
        <>
          <p>{own.enrolHint}</p>
          <CopyField label={own.command} text={`faderd fleet enrol ${hub} ${made.code}`} />
          <p class="muted small">{own.codeUntil(recentText(made.expires))}</p>
        </>
      )}
    </Dialog>
  );
}
