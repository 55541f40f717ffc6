import { reasonOf } from "../../core/errors.ts";
import { certificatesOf } from "../../runtimes/certificate.ts";
import { checkCertificate } from "../certificate.ts";
import { urlOf } from "../listeners.ts";
import { shownCertificate } from "../shown-certificate.ts";
import { type Check, type Finding, note, well, wrong } from "./check.ts";
import { reachable } from "./reachable.ts";

const DAY_MS = 86_400_000;

/** Number of days before the end of its validity at which a certificate should be renewed. */
const RENEWED_DAYS = 21;

const RENEW = "restore a new one: faderd tls pack, then faderd restore --tags TLS";

/** Checks whether HTTPS has a certificate that is valid, and will be for a while. */
export const certificate: Check = async ({ listenTls, stored, health }): Promise<Finding> => {
  if (health !== undefined) {
    if (listenTls === undefined) return well("HTTPS is not asked for: there is no --listen-tls");
    try {
      const { validFrom, validTo } = await shownCertificate(reachable(listenTls));
      return validity(validFrom, validTo);
    } catch (fault) {
      return wrong(reasonOf(fault), RENEW);
    }
  }
  const tls = stored?.state.tls;
  if (tls === undefined) {
    return listenTls === undefined
      ? well("there is none, and HTTPS is not asked for")
      : wrong(`there is none, and ${urlOf(listenTls, "https")} closes all connections`, RENEW);
  }
  const fault = await checkCertificate(tls);
  if (fault !== undefined) return wrong(fault, RENEW);
  const [own] = await certificatesOf(tls);
  return validity(own!.validFrom, own!.validTo);
};

function validity(from: string, until: string): Finding {
  const says = `valid until ${new Date(until).toISOString()}`;
  if (Date.parse(from) > Date.now()) {
    return wrong(`not valid before ${new Date(from).toISOString()}`, "check the clock");
  }
  const days = (Date.parse(until) - Date.now()) / DAY_MS;
  if (days <= 0) return wrong(`expired: ${says}`, RENEW);
  return days < RENEWED_DAYS ? note(says, RENEW) : well(says);
}
