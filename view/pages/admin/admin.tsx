/**
 * The page of admins: users, clients, backups, and the state of the console.
 *
 * @module
 */
import { Choice } from "../../parts/choice.tsx";
import { Icon } from "../../parts/icon.tsx";
import { me } from "../../state/rights.ts";
import { addressOf } from "../../state/route.ts";
import { adminTexts } from "../../texts/admin.ts";
import { texts, textsOf } from "../../texts/texts.ts";
import { AuditCard } from "./audit.tsx";
import { BackupCard } from "./backup.tsx";
import { ClientsCard } from "./clients.tsx";
import { DeviceCard } from "./device.tsx";
import { RestoreCard } from "./restore.tsx";
import { UsersCard } from "./users.tsx";

/** A part of the wide strip of a fader, which is loaded with this page. */
export { LastChanged } from "./last-changed.tsx";

const VIEWS = ["console", "audit"] as const;

/** The part of the page that its address names. */
export interface AdministrationProps {
  readonly parts: readonly string[];
}

/**
 * The page: `#/admin`, `#/admin/audit`, `#/admin/audit/0/3` for fader 3 of mixer 0. Users who are
 * not admins see why they may not use it, and the public facts.
 */
export function Administration({ parts: [view, ...of] }: AdministrationProps) {
  const own = textsOf(adminTexts);
  const { rights } = texts();
  if (me.value === undefined) return null;
  const { admin: isAdmin, name } = me.value;
  const isAudit = isAdmin && view === "audit";
  return (
    <>
      {isAdmin && (
        <Choice
          label={own.view}
          items={VIEWS}
          chosen={isAudit ? "audit" : "console"}
          textOf={(item) => own.views[item]}
          onChoose={(item) => location.hash = addressOf("admin", item)}
        />
      )}
      {!isAdmin && (
        <p class="card reason line">
          <Icon name="lock" />
          <span>{name === null ? rights.needsLogin : rights.needsAdmin} {own.notAdmin}</span>
        </p>
      )}
      {isAudit ? <AuditCard parts={of} /> : <Cards isAdmin={isAdmin} />}
    </>
  );
}

function Cards({ isAdmin }: { readonly isAdmin: boolean }) {
  return (
    <div class="columns">
      {isAdmin && <UsersCard />}
      {isAdmin && <ClientsCard />}
      <DeviceCard isAdmin={isAdmin} />
      {/* Side by side or below each other, but together, whatever is shown in them. */}
      <div class="form">
        <BackupCard />
        <RestoreCard />
      </div>
    </div>
  );
}
