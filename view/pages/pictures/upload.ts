/**
 * Uploading a picture, with how much of it is on its way.
 *
 * @module
 */
import { askWho, credentials } from "../../state/rights.ts";

/**
 * Replaces the picture of a resource; `told` is told how much is sent, from 0 to 1. Resolves with
 * why the console refused it, in its own words; undefined where it took it. `fetch` tells of no
 * progress, so this is a request of the older kind.
 */
export function upload(
  id: number,
  file: File,
  told: (sent: number) => void,
): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", `action/updatepic?ObjectID=${id}`);
    request.responseType = "json";
    for (const [name, value] of Object.entries(credentials())) {
      request.setRequestHeader(name, value);
    }
    request.upload.onprogress = ({ loaded, total }) => told(total > 0 ? loaded / total : 0);
    request.onload = () => {
      const answer = request.response as { readonly Error?: string } | null;
      const isAnswered = request.status === 200 && answer !== null;
      const refusal = answer?.Error ?? (isAnswered ? undefined : `HTTP ${request.status}`);
      // No code says whether it is for want of a right that this user had before.
      if (refusal !== undefined) askWho();
      resolve(refusal);
    };
    request.onerror = () => reject(new Error("the connection was lost"));
    const form = new FormData();
    form.set("file", file);
    request.send(form);
  });
}
