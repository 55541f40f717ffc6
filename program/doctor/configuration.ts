import { remarksOn } from "../../core/configuration/remarks.ts";
import { PUBLISHED_SITE_KEY } from "../../core/site-key.ts";
import { openToAnybody, openToForgedAddresses, openWithoutUsers } from "../start.ts";
import { readListenAddress } from "../../core/configuration/listen-address.ts";
import { type Check, note, well, wrong } from "./check.ts";

/** Checks whether the configuration is valid, and reports remarks for its owner. */
export const configuration: Check = (
  { source, read, configuration, data, listen, listenTls },
) => {
  if ("faults" in read) {
    const faults = read.faults.map(({ path, reason }) => `${path}: ${reason}`).join("; ");
    return wrong(`${source} is not valid: ${faults}`, `correct ${source}`);
  }
  const { device, mixers, siteKey, ember, ecp } = configuration;
  const made = `${source ?? "the demo console"}: ${device.name}, mixers: ${mixers.length}`;
  const addresses = [listen, ...(listenTls ? [listenTls] : [])];
  const remarks = [
    source === undefined
      ? `${data} has no configuration, so this is the demo console; name one with --config`
      : undefined,
    siteKey === undefined
      ? `set siteKey: without it the ${PUBLISHED_SITE_KEY} is in force`
      : undefined,
    ...remarksOn(configuration),
    openToAnybody(configuration, addresses),
    openToForgedAddresses(configuration, addresses),
    openWithoutUsers("ember", configuration, ember && readListenAddress(ember.listen)),
    openWithoutUsers("ecp", configuration, ecp && readListenAddress(ecp.listen)),
  ].filter((remark) => remark !== undefined);
  return remarks.length === 0 ? well(made) : note(made, remarks.join("; "));
};
