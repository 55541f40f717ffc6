/**
 * The page of admins: users, clients, backups, and the state of the console.
 *
 * @module
 */
import { Icon } from "../../parts/icon.tsx";
import { me } from "../../state/rights.ts";
import { adminTexts } from "../../texts/admin.ts";
import { texts, textsOf } from "../../texts/texts.ts";
import { BackupCard } from "./backup.tsx";
import { ClientsCard } from "./clients.tsx";
import { DeviceCard } from "./device.tsx";
import { RestoreCard } from "./restore.tsx";
import { UsersCard } from "./users.tsx";

/** The page. Users who are not admins see why it does nothing, and what anybody may know. */
export function Administration() {
  const own = textsOf(adminTexts);
  const { rights } = texts();
  if (me.value === undefined) return null;
  const { admin: isAdmin, name } = me.value;
  return (
    <>
      {!isAdmin && (
        <p class="card reason line">
          <Icon name="lock" />
          <span>{name === null ? rights.needsLogin : rights.needsAdmin} {own.notAdmin}</span>
        </p>
      )}
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
    </>
  );
}
