import { isExpired } from "../../core/users/user.ts";
import { type Check, note, well, wrong } from "./check.ts";

/** Checks whether somebody can log in as an admin; not checked for a running service. */
export const users: Check = ({ data, source, isNamed, stored, isInUse }) => {
  if (stored === undefined || stored.log.recovery.records === 0) {
    return isInUse
      ? well("see faderd user list --url")
      : note("there are none yet", "the first start makes the user admin");
  }
  const all = [...stored.state.users.values()];
  const admins = all.filter((user) => user.admin && !isExpired(user, Date.now()));
  if (all.length === 0) return note("there are none", "the next start makes the user admin");
  if (admins.length === 0) {
    return wrong(
      "there is no admin whose token is valid",
      `faderd user add NAME --groups 1 --admin --data ${data}` +
        (isNamed ? ` --config ${source}` : ""),
    );
  }
  return well(`users: ${all.length}, admins: ${admins.length}`);
};
