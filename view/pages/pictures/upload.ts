/**
 * Uploads a picture, and reports the progress.
 *
 * @module
 */
import { askWho, credentials } from "../../state/rights.ts";

/**
 * Replaces the picture of a resource; `told` gets the sent share, from 0 to 1. Resolves with the
 * message of the console if it refused the picture; undefined if it took it. `fetch` reports no
 * progress, so this is an `XMLHttpRequest`.
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
      // No code says whether this user has lost a right.
      if (refusal !== undefined) askWho();
      resolve(refusal);
    };
    request.onerror = () => reject(new Error("the connection was lost"));
    const form = new FormData();
    form.set("file", file);
    request.send(form);
  });
}
