/**
 * Draws the layers of the sources from what they import: whoever imports stands above. Run after
 * files were added, moved or removed:
 * `deno run --allow-read=. --allow-write=docs scripts/architecture-svg.ts`.
 *
 * @module
 */
const root = new URL("../", import.meta.url);

/** The folders and files that are drawn, each as one box, and what each is. */
const BOXES: Readonly<Record<string, string>> = {
  "main.ts": "the program",
  "mod.ts": "the library",
  "program": "the command line; start and stop",
  "client": "a typed client of the protocol",
  "transport": "HTTP and WebSocket: requests in, answers and updates out",
  "storage": "the append log: bytes, no mixers",
  "core": "the console, pure: its state, its events, its commands",
  "simulation": "an engine without sound, pure",
  "mixing": "the rules of a mixer, pure",
  "meters": "ballistics, pure",
  "fade": "the fader law, and fades by it, pure",
};

interface Source {
  readonly path: string;
  readonly text: string;
}

/** A folder or file, with what is in it. */
interface Box {
  readonly name: string;
  readonly files: readonly Source[];
  readonly parts: readonly Part[];
  readonly knowsDeno: boolean;
  /** The boxes that it imports from, but for those that another of them stands for. */
  readonly below: readonly Import[];
  /** How many boxes stand below it at most. */
  readonly layer: number;
}

/** A folder in a box. */
interface Part {
  readonly name: string;
  readonly files: number;
  readonly knowsDeno: boolean;
}

/** A box that is imported from, and the files of it that are. */
interface Import {
  readonly name: string;
  readonly files: readonly string[];
}

/** A box in its place, in pixels. */
interface Placed extends Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const WIDTH = 960;
const MARGIN = 24;
const GAP = 24;
const LAYER_GAP = 56;
const FILE_WIDTH = 190;
const PADDING = 16;
const HEAD = 58;
const FOOT = 52;
/** The height of a folder in a box, and the room between two. */
const PART = 26;
const PART_GAP = 8;
/** How wide a character is in the font of the folders in a box. */
const CHARACTER = 7.3;
/** Files that an arrow names; where more are imported, or there is no room, it says nothing. */
const NAMED_FILES = 3;
/** The fill and the edge of what is drawn. */
const FILE_COLOURS = 'fill="#f6f8fa" stroke="#9ab"';
const FOLDER_COLOURS = 'fill="#eaf2fb" stroke="#9ab"';
const PART_COLOURS = 'fill="#fff" stroke="#bcd"';
const DENO_COLOURS = 'fill="#fff3e2" stroke="#d98a29"';

/** The picture of the sources as they are now, as the text of an SVG file. */
export function architectureSvg(): string {
  const sources = Object.keys(BOXES).map((name) => [name, sourcesOf(name)] as const);
  const boxes = placed(boxesOf(new Map(sources)));
  const boxOf = new Map(boxes.map((box) => [box.name, box]));
  const height = Math.max(...boxes.map((box) => box.y + box.height)) + FOOT;
  return [
    "<!-- Made by scripts/architecture-svg.ts. deno-fmt-ignore-file -->",
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="sans-serif" font-size="13" role="img">`,
    `<title>The layers of faderd: whoever imports stands above</title>`,
    `<defs><marker id="head" viewBox="0 0 10 10" refX="9" refY="5" markerWidth="8" markerHeight="8" orient="auto"><path d="M0 0L10 5L0 10z" fill="#678"/></marker></defs>`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    ...boxes.flatMap((box) => box.below.flatMap((used) => arrow(box, used, boxOf.get(used.name)!))),
    ...boxes.flatMap(drawn),
    ...legend(height - FOOT / 2 + 6),
    `</svg>`,
    "",
  ].join("\n");
}

function sourcesOf(path: string): Source[] {
  if (/\.tsx?$/.test(path)) return [{ path, text: Deno.readTextFileSync(new URL(path, root)) }];
  return [...Deno.readDirSync(new URL(`${path}/`, root))]
    .filter((entry) => entry.isDirectory || /\.tsx?$/.test(entry.name))
    .map((entry) => `${path}/${entry.name}`).sort().flatMap(sourcesOf);
}

function boxesOf(sources: ReadonlyMap<string, readonly Source[]>): Box[] {
  const imports = new Map([...sources].map(([name, files]) => [name, importsOf(name, files)]));

  /** All that stands below; throws where that is the box itself. */
  function allBelow(name: string, above: readonly string[] = []): string[] {
    if (above.includes(name)) throw new Error(`imports go round: ${[...above, name].join(", ")}`);
    return imports.get(name)!.flatMap((next) => [
      next.name,
      ...allBelow(next.name, [...above, name]),
    ]);
  }

  function layerOf(name: string): number {
    return Math.max(0, ...imports.get(name)!.map((next) => layerOf(next.name) + 1));
  }

  return [...sources].map(([name, files]) => {
    const direct = imports.get(name)!;
    const implied = new Set(direct.flatMap((next) => allBelow(next.name)));
    return {
      name,
      files,
      parts: partsOf(name, files),
      knowsDeno: files.some((file) => folderOf(name, file) === undefined && knowsDeno(file)),
      below: direct.filter((next) => !implied.has(next.name)),
      layer: layerOf(name),
    };
  });
}

/** What the files of a box import from other boxes. */
function importsOf(name: string, files: readonly Source[]): Import[] {
  const targets = [...new Set(files.flatMap(importedBy))].sort();
  return Object.keys(BOXES).filter((other) => other !== name)
    .map((other) => ({ name: other, files: targets.filter((path) => isIn(other, path)) }))
    .filter((used) => used.files.length > 0);
}

/** The files of this repository that a source imports, by their paths. */
function importedBy({ path, text }: Source): string[] {
  const statements = text.matchAll(
    /^(?:import|export)\b[^;]*?\bfrom\s+"(\.[^"]+)"|\bimport\("(\.[^"]+)"\)/gm,
  );
  return [...statements].map((match) =>
    new URL(match[1] ?? match[2]!, new URL(path, root)).href.slice(root.href.length)
  );
}

function isIn(name: string, path: string): boolean {
  return `${path}/`.startsWith(`${name}/`);
}

/** The folder of a box that a file is in; undefined where it is in none. */
function folderOf(name: string, { path }: Source): string | undefined {
  return /^\/([^/]+)\//.exec(path.slice(name.length))?.[1];
}

function partsOf(name: string, files: readonly Source[]): Part[] {
  const folders = Map.groupBy(files, (file) => folderOf(name, file));
  return [...folders].flatMap(([folder, inside]) =>
    folder === undefined
      ? []
      : [{ name: folder, files: inside.length, knowsDeno: inside.some(knowsDeno) }]
  );
}

function knowsDeno({ text }: Source): boolean {
  return /\bDeno\./.test(text.replace(/\/\*.*?\*\/|\/\/[^\n]*/gs, ""));
}

/** A layer is a row; in it those with most files come first, and the folders share the width. */
function placed(boxes: readonly Box[]): Placed[] {
  const rows = Map.groupBy(boxes, ({ layer }) => layer);
  const done: Placed[] = [];
  let y = MARGIN;
  for (const layer of [...rows.keys()].sort((one, other) => other - one)) {
    const row = rows.get(layer)!.toSorted((one, other) => other.files.length - one.files.length);
    const folders = row.filter((box) => !isFile(box));
    const ofFiles = (row.length - folders.length) * FILE_WIDTH;
    const room = WIDTH - 2 * MARGIN - (row.length - 1) * GAP - ofFiles;
    const shares = folders.reduce((sum, box) => sum + share(box), 0);
    let x = MARGIN;
    const inRow = row.map((box) => {
      const width = isFile(box) ? FILE_WIDTH : Math.round(room * share(box) / shares);
      const at = { ...box, x, y, width };
      x += width + GAP;
      return at;
    });
    const height = HEAD + Math.max(...inRow.map(partsHeight));
    done.push(...inRow.map((box) => ({ ...box, height })));
    y += height + LAYER_GAP;
  }
  return done;
}

function isFile({ name }: Box): boolean {
  return name.endsWith(".ts");
}

function share({ files }: Box): number {
  return Math.sqrt(files.length);
}

type Room = Pick<Placed, "parts" | "width">;

/** The folders of a box, side by side as far as there is room, each with its place in the box. */
function placedParts({ parts, width }: Room) {
  let x = 0;
  let y = 0;
  return parts.map((part) => {
    const own = Math.round((`${part.name} ${part.files}`.length + 1.5) * CHARACTER);
    if (x > 0 && x + own > width - 2 * PADDING) {
      x = 0;
      y += PART + PART_GAP;
    }
    const at = { ...part, x, y, width: own };
    x += own + PART_GAP;
    return at;
  });
}

function partsHeight(box: Room): number {
  const last = placedParts(box).at(-1);
  return last === undefined ? 0 : last.y + PART + PADDING;
}

/**
 * From the lower edge of a box straight down to the upper edge of one below, where they overlap.
 */
function arrow(from: Placed, { files }: Import, to: Placed): string[] {
  const left = Math.max(from.x, to.x);
  const right = Math.min(from.x + from.width, to.x + to.width);
  const overlap = Math.round((left + right) / 2);
  const [start, end] = right > left ? [overlap, overlap] : [middle(from), middle(to)];
  const top = from.y + from.height;
  const bottom = to.y - 3;
  const names = files.map((path) => path.slice(to.name.length + 1)).join(", ");
  const isNamed = files.length <= NAMED_FILES &&
    end + 12 + names.length * CHARACTER < WIDTH - MARGIN;
  const beside = text(end + 12, (top + bottom) / 2 + 4, names, 'font-size="12" fill="#567"');
  return [
    `<path d="M${start} ${top}L${end} ${bottom}" stroke="#678" stroke-width="2" marker-end="url(#head)"/>`,
    ...(isNamed ? [beside] : []),
  ];
}

function middle({ x, width }: Placed): number {
  return Math.round(x + width / 2);
}

function drawn(box: Placed): string[] {
  const { name, files, x, y, width } = box;
  const colours = isFile(box) ? FILE_COLOURS : FOLDER_COLOURS;
  const title = isFile(box) ? name : `${name}/`;
  const count = isFile(box) ? "" : `${files.length} files`;
  return [
    rect(box, 8, box.knowsDeno ? DENO_COLOURS : colours),
    text(x + PADDING, y + 25, title, 'font-size="16" font-weight="bold" fill="#123"'),
    text(x + width - PADDING, y + 25, count, 'text-anchor="end" fill="#567"'),
    text(x + PADDING, y + 45, BOXES[name]!, 'fill="#345"'),
    ...placedParts(box).flatMap((part) => drawnPart(part, x + PADDING + part.x, y + HEAD + part.y)),
  ];
}

function drawnPart(part: Part & { readonly width: number }, x: number, y: number): string[] {
  const { name, files, width, knowsDeno } = part;
  const words = `${name} <tspan fill="#678">${files}</tspan>`;
  const style = 'text-anchor="middle" font-family="monospace" font-size="12" fill="#123"';
  return [
    rect({ x, y, width, height: PART }, 5, knowsDeno ? DENO_COLOURS : PART_COLOURS),
    text(x + width / 2, y + 17, words, style),
  ];
}

function legend(y: number): string[] {
  const sentences =
    "An arrow points to what is imported. Arrows that follow from others are left out.";
  const swatch = { x: WIDTH - MARGIN - 104, y: y - 13, width: 16, height: 16 };
  return [
    text(MARGIN, y, sentences, 'fill="#567"'),
    rect(swatch, 4, DENO_COLOURS),
    text(WIDTH - MARGIN, y, "knows Deno", 'text-anchor="end" fill="#567"'),
  ];
}

type Place = Pick<Placed, "x" | "y" | "width" | "height">;

function rect({ x, y, width, height }: Place, radius: number, colours: string): string {
  return `<rect x="${x}" y="${y}" width="${width}" height="${height}" rx="${radius}" ${colours}/>`;
}

function text(x: number, y: number, words: string, style: string): string {
  return `<text x="${x}" y="${y}" ${style}>${words}</text>`;
}

if (import.meta.main) {
  await Deno.writeTextFile(
    new URL("../docs/architecture.svg", import.meta.url),
    architectureSvg(),
  );
}
