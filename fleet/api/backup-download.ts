/**
 * The archives of backups over HTTP: `GET /backups/{console}/{content}`, for admins.
 *
 * @module
 */
import { isRefusal } from "../../core/errors.ts";
import type { HttpRequest } from "../../transport/arrival.ts";
import { refused, refuseMethod } from "../../transport/json-answers.ts";
import { NO_TOKEN, tokenBeside, unauthorized } from "../../transport/request-token.ts";
import type { Backups } from "../backups/fleet-backups.ts";
import type { HubCore } from "../hub/hub-core.ts";
import { NO_BACKUPS } from "./backup-schemas.ts";

/** The path of an archive. */
const PATH = /^\/backups\/([0-9a-f]{32})\/([0-9a-f]{64})$/;

/** Answers a request for an archive; undefined for any other path. */
export function answerBackup(
  core: HubCore,
  backups: Backups | undefined,
  asked: HttpRequest,
): Promise<Response> | undefined {
  const [, id, content] = PATH.exec(asked.url.pathname) ?? [];
  return id === undefined ? undefined : download(core, backups, asked, id, content!);
}

async function download(
  core: HubCore,
  backups: Backups | undefined,
  asked: HttpRequest,
  id: string,
  content: string,
): Promise<Response> {
  const wrongMethod = refuseMethod(asked.request, "GET");
  if (wrongMethod !== undefined) return wrongMethod;
  const token = tokenBeside(asked);
  const user = token === undefined ? NO_TOKEN : await core.authenticate(token, asked.client);
  if (isRefusal(user)) return unauthorized(user);
  if (backups === undefined) return refused(404, NO_BACKUPS);
  const opened = await backups.open(id, content, { user, from: asked.client });
  if (isRefusal(opened)) return refused(opened.code === 5 ? 403 : 404, opened);
  const name = `backup-${opened.name}-${opened.time.replaceAll(/[-:]|\..*/g, "")}.tgz`;
  return new Response(opened.body as BodyInit, {
    headers: {
      "content-type": "application/octet-stream",
      "content-disposition": `attachment; filename="${name.replaceAll(/[^\w.-]/g, "_")}"`,
      "cache-control": "no-store",
    },
  });
}
