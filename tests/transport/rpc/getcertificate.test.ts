/** `getcertificate`: the validity of the certificate of HTTPS. */
import { assertEquals } from "@std/assert";
import { noDevice } from "../../../core/backup/device.ts";
import { validityOf } from "../../../runtimes/certificate.ts";
import { gzip, tarOf } from "../../core/backup/archives.ts";
import { act, formFile, startService, tokens, unlimitedWith } from "../../service.ts";

Deno.test("getcertificate without a certificate has null as beginning and end", async () => {
  await using service = await startService();
  const { payload } = await service.rpc("getcertificate", {});
  assertEquals(payload.result, { from: null, until: null });
});

Deno.test("getcertificate returns the validity of the certificate, and nothing of its key", async () => {
  await using service = await startService({
    configuration: unlimitedWith(),
    device: { ...noDevice, validityOf },
  });
  const pem = new URL("../../program/certificates/one.pem", import.meta.url);
  const content = Deno.readTextFileSync(pem);
  const file = formFile(await gzip(tarOf([{ name: "tls.pem", content }])), "new.tgz");
  await act(service, "restore", { file, Tags: "TLS", Token: tokens.admin }, "multipart");
  const { payload } = await service.rpc("getcertificate", {});
  assertEquals(payload.result, {
    from: "2026-11-20T09:39:43.000Z",
    until: "2126-10-27T09:39:43.000Z",
  });
});
