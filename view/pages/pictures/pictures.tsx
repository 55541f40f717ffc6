/**
 * The pictures that device views show; here they are seen, and can be replaced.
 *
 * @module
 */
import { useEffect, useState } from "preact/hooks";
import type { RpcResult } from "../../../client/client.ts";
import { usePolled } from "../../state/polled.ts";
import { FileButton } from "../../parts/file-button.tsx";
import { credentials } from "../../state/rights.ts";
import { picturesTexts } from "../../texts/pictures.ts";
import { texts, textsOf } from "../../texts/texts.ts";
import { upload } from "./upload.ts";

type Entry = RpcResult<"getpicturelist">[number];

/** The page. */
export function Pictures() {
  const own = textsOf(picturesTexts);
  const [list, ask] = usePolled("getpicturelist");
  if (list === undefined) return <p class="muted">{texts().shell.loading}</p>;
  if (list.length === 0) return <p class="muted">{own.none}</p>;
  return (
    <ul class="pictures">
      {list.map((entry) => <Picture key={entry.id} entry={entry} onReplaced={ask} />)}
    </ul>
  );
}

interface PictureProps {
  readonly entry: Entry;
  readonly onReplaced: () => void;
}

function Picture({ entry: { id, name, version, bytes }, onReplaced }: PictureProps) {
  const own = textsOf(picturesTexts);
  const [sent, setSent] = useState<number>();
  const [refusal, setRefusal] = useState<string>();
  const [size, setSize] = useState<string>();
  const url = usePicture(id, version);

  const take = async (file: File) => {
    setRefusal(undefined);
    setSent(0);
    setRefusal(await upload(id, file, setSent).catch(() => texts().link.unanswered));
    setSent(undefined);
    onReplaced();
  };
  return (
    <li class="card picture form">
      <div class="picture-place">
        {url === undefined ? <p class="muted">{version === null ? own.absent : ""}</p> : (
          <img
            src={url}
            alt={name}
            onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
              setSize(own.size(naturalWidth, naturalHeight, Math.ceil(bytes / 1024)))}
          />
        )}
      </div>
      <h2>{id} · {name}</h2>
      <p class="muted small">{version === null ? own.hint : size}</p>
      {sent !== undefined && <progress value={sent} aria-label={own.sending(name)} />}
      {refusal !== undefined && <p class="refusal" role="alert">{refusal}</p>}
      <FileButton
        label={version === null ? own.upload : own.replace}
        icon="upload"
        accept="image/png"
        needs="operate"
        reason={sent === undefined ? undefined : own.sending(name)}
        onChoose={take}
      >
        <span class="hidden">{name}</span>
      </FileButton>
    </li>
  );
}

/**
 * A version of a picture, in a form that the page can show, because an `img` element sends no
 * token.
 */
function usePicture(id: number, version: string | null): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    let isOver = false;
    let made: string | undefined;
    if (version === null) return setUrl(undefined);
    fetch(`pictures/${id}`, { headers: credentials() })
      .then(async (answer) => {
        if (!answer.ok || isOver) return;
        made = URL.createObjectURL(await answer.blob());
        setUrl(made);
      }, () => {});
    return () => {
      isOver = true;
      if (made !== undefined) URL.revokeObjectURL(made);
    };
  }, [id, version]);
  return url;
}
