/**
 * `faderd fleet enrol`: enrols a console in a fleet by a code of its hub.
 *
 * @module
 */
import * as v from "valibot";
import { reasonOf } from "../core/errors.ts";
import { readHubAddress } from "../core/configuration/hub-address.ts";
import { hexOf } from "../core/hex.ts";
import { type Enrolment, UPLINK_PATHS } from "../fleet/wire.ts";
import { machine } from "../runtimes/clock.ts";
import type { Given } from "./command-line.ts";
import { configurationOf } from "./configuration-file.ts";
import { expectFolder, folderOf } from "./data-folder.ts";
import {
  enrolmentFile,
  expectReplaceable,
  keepEnrolment,
  readEnrolment,
} from "./enrolment-file.ts";
import { Failure, misuse } from "./failure.ts";
import { createPinnedClient } from "./pinned-client.ts";
import { print } from "./print.ts";
import { readCertificates, saidIn, whyNot } from "./running-service.ts";

/** The number of random bytes of the id of a console. */
const ID_BYTES = 16;

const enrolled = v.object({
  token: v.pipe(v.string(), v.minLength(1)),
  organisation: v.string(),
});

/**
 * Enrols the console of a data folder, and stores the enrolment there; a console that is enrolled
 * already keeps its id. Throws {@link Failure} if the hub refuses, the enrolment cannot be stored,
 * or the configuration has the console dial other hubs.
 */
export async function fleetEnrol(given: Given): Promise<void> {
  const data = expectFolder(folderOf(given));
  // Before the hub is asked, because that spends the code.
  await expectReplaceable(data);
  const hub = hubOf(given.get("url")!);
  const ca = given.has("ca") ? readCertificates(given.get("ca")!) : undefined;
  const { device, fleet } = configurationOf(given.get("config"), data);
  expectDialled(hub, fleet.hubs);
  const before = readEnrolment(data);
  const site = given.get("site") ?? fleet.site ?? before?.site ?? "";
  const id = before?.console ?? hexOf(machine.random.bytes(ID_BYTES));
  const { token, organisation } = await enrol(hub, ca, {
    code: given.get("code")!,
    console: id,
    name: device.name,
    site,
  });
  try {
    await keepEnrolment(data, { console: id, token, organisation, hubs: [hub], site, ca });
  } catch (fault) {
    throw new Failure(
      `${enrolmentFile(data)} cannot be written: ${
        reasonOf(fault)
      }; the hub has enrolled console ` +
        `${id}: remove it there (faderd fleet remove ${id}), and enrol again with another code`,
    );
  }
  print(`${device.name} is enrolled in ${organisation || "the fleet"} as ${id}`);
  print("somebody has to approve it at the hub: faderd fleet approve " + id);
  print("a service that is running dials the hub after SIGHUP, or a restart");
}

/** The console would send the token of this hub to other ones, which may be those of strangers. */
function expectDialled(hub: string, hubs: readonly string[] | undefined): void {
  if (hubs === undefined || hubs.some((one) => readHubAddress(one) === hub)) return;
  throw new Failure(
    `fleet.hubs of the configuration lacks ${hub}: the console dials ${
      hubs.join(" and ")
    } alone. ` +
      "Nothing has changed: name the hub there first, or remove fleet.hubs",
  );
}

async function enrol(
  hub: string,
  ca: string | undefined,
  enrolment: Enrolment,
): Promise<v.InferOutput<typeof enrolled>> {
  // The addresses of WebSockets and of HTTP differ only in their schemes.
  const url = `${hub.replace(/^ws/, "http")}${UPLINK_PATHS.enrol}`;
  const client = ca === undefined ? {} : { client: createPinnedClient(ca) };
  let answer: Response;
  try {
    answer = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(enrolment),
      redirect: "error",
      ...client,
    });
  } catch (fault) {
    throw new Failure(`${hub} does not answer: ${whyNot(fault)}`);
  }
  const said = await saidIn(answer);
  const read = v.safeParse(enrolled, said);
  if (answer.ok && read.success) return read.output;
  const message: unknown = said.error?.message;
  throw new Failure(
    typeof message === "string"
      ? `${hub} does not enrol this console: ${message}`
      : `${hub} answers with status ${answer.status}, and not as a hub does`,
  );
}

function hubOf(text: string): string {
  const hub = readHubAddress(text);
  if (hub !== undefined) return hub;
  throw misuse(`URL: expected the address of a hub, like wss://hub.example, got ${text}`);
}
