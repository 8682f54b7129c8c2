// Aligned tables that fit the width of the display: paths are shortened in the middle, texts continue on further lines. Nothing else is cut.
// Where the columns do not fit even so, each row becomes a block with a line for each value.
import stringWidth from 'fast-string-width';
import { displayWidth, paint, type Style } from './display.ts';

/** `below`: a second text of the cell, on a line of its own. */
export type Cell =
  | string
  | { readonly text: string; readonly style?: Style; readonly below?: string | undefined };

type Kind = 'path' | 'text' | 'number' | 'whole';

/**
 * What the columns of these headings hold. `path`: shortened in the middle; `number`: aligned right; `whole`: ids, times and words, never
 * broken. All others are texts, which are wrapped.
 */
const kinds: Readonly<Record<string, Kind>> = {
  'CONFLICT COPY': 'path',
  FOLDER: 'path',
  PATH: 'path',
  URL: 'path',
  ATTEMPTS: 'number',
  CONFLICTS: 'number',
  COUNT: 'number',
  DEAD: 'number',
  DELETES: 'number',
  FILES: 'number',
  PENDING: 'number',
  PROBLEMS: 'number',
  SIZE: 'number',
  'SIZE AFTER': 'number',
  'SIZE BEFORE': 'number',
  'TO FOLDER': 'number',
  'TO RECEIVE': 'number',
  'TO SEND': 'number',
  'TO WORKSPACE': 'number',
  WRITES: 'number',
  AGE: 'whole',
  BATCH: 'whole',
  CONFLICT: 'whole',
  CONTENT: 'whole',
  CREATED: 'whole',
  'CURRENT REVISION': 'whole',
  'BASE REVISION': 'whole',
  DELETED: 'whole',
  EDITED: 'whole',
  ENVELOPE: 'whole',
  EXPIRES: 'whole',
  FAILED: 'whole',
  FORK: 'whole',
  'FROM REVISION': 'whole',
  ID: 'whole',
  'LAST SYNC': 'whole',
  'LAST USED': 'whole',
  'NEXT ATTEMPT': 'whole',
  OLDEST: 'whole',
  OPERATION: 'whole',
  REVISION: 'whole',
  RUN: 'whole',
  SESSION: 'whole',
  SETTING: 'whole',
  SINCE: 'whole',
  TIME: 'whole',
  TOKEN: 'whole',
};

const gap = '  ';
const ellipsis = '…';
/** Narrower than this no column becomes: the rows become blocks. */
const widthMin = { path: 16, text: 12 } as const;
/** A path of this width is still recognised. */
const pathWidthGood = 24;
/** Of a shortened path: the part of its start. The end, with the file's name, says more. */
const startShare = 1 / 3;

/** Columns of a terminal. Hangul of single letters, as macOS decomposes names, is shown composed. */
function columnsOf(text: string): number {
  return stringWidth(text.normalize());
}

/** Prints nothing when there are no rows. Columns without any value are omitted. */
export function printTable(headings: readonly string[], rows: readonly (readonly Cell[])[]): void {
  if (rows.length === 0) return;
  const lines = tableLines(headings, rows, displayWidth());
  process.stdout.write(`${lines.join('\n')}\n`);
}

interface PlainCell {
  readonly texts: readonly string[];
  readonly style?: Style | undefined;
}

interface Layout {
  readonly heading: string;
  readonly kind: Kind;
  readonly cells: readonly PlainCell[];
  readonly natural: number;
}

export function tableLines(
  headings: readonly string[],
  rows: readonly (readonly Cell[])[],
  width: number,
): readonly string[] {
  const layouts = headings
    .map((heading, index) => layoutOf(heading, rows, index))
    .filter(({ cells }) => cells.some(({ texts }) => texts[0] !== ''));
  const widths = fitWidths(layouts, width);
  if (widths === null) return blockLines(layouts, rows.length, width);
  const titles = layouts.map(({ heading }) => ({ text: heading, style: 'bold' as const }));
  const lines = [lineOf(titles, layouts, widths)];
  for (const index of rows.keys()) {
    const parts = layouts.map(({ kind, cells }, at) =>
      fitCell(cells[index]?.texts ?? [''], kind, widths[at] ?? 0),
    );
    const height = Math.max(1, ...parts.map((part) => part.length));
    for (let row = 0; row < height; row += 1) {
      const cells = layouts.map((layout, at) => ({
        style: layout.cells[index]?.style,
        text: parts[at]?.[row] ?? '',
      }));
      lines.push(lineOf(cells, layouts, widths));
    }
  }
  return lines;
}

function layoutOf(heading: string, rows: readonly (readonly Cell[])[], index: number): Layout {
  const cells = rows.map((row) => {
    const cell = row[index] ?? '';
    const { text, style, below } = typeof cell === 'string' ? { text: cell } : cell;
    return { texts: [text, ...(below === undefined ? [] : [below])].map(plain), style };
  });
  const natural = cells.reduce(
    (widest, { texts }) => Math.max(widest, ...texts.map((text) => columnsOf(text))),
    columnsOf(heading),
  );
  return { heading, kind: kinds[heading] ?? 'text', cells, natural };
}

/** Control characters as escapes, so that a name cannot break its row or change the terminal. */
function plain(text: string): string {
  return text.replaceAll(
    /\p{Cc}/gu,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/**
 * Paths are shortened first, because a part of a path says enough and a wrapped text is hard to read; then paths and texts are narrowed to
 * one common width, as far as their minimum allows. null: they do not fit.
 */
function fitWidths(layouts: readonly Layout[], width: number): readonly number[] | null {
  return (
    fitCommon(layouts, width, { path: pathWidthGood, text: Number.POSITIVE_INFINITY }) ??
    fitCommon(layouts, width, widthMin)
  );
}

/** `least`: no column of that kind becomes narrower. */
function fitCommon(
  layouts: readonly Layout[],
  width: number,
  least: Readonly<Record<'path' | 'text', number>>,
): readonly number[] | null {
  const gaps = gap.length * Math.max(0, layouts.length - 1);
  const widthsAt = (widest: number) =>
    layouts.map(({ kind, heading, natural }) => {
      if (kind === 'whole' || kind === 'number') return natural;
      return Math.min(natural, Math.max(widest, least[kind], columnsOf(heading)));
    });
  const isWithin = (widest: number) => widthsAt(widest).reduce((sum, each) => sum + each, gaps) <= width;
  let low = 0;
  let high = layouts.reduce((widest, { natural }) => Math.max(widest, natural), 0);
  if (isWithin(high)) return widthsAt(high);
  if (!isWithin(low)) return null;
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isWithin(middle)) low = middle;
    else high = middle;
  }
  return widthsAt(low);
}

/** `PATH   /a.md`: a line for each value of a row, an empty line between rows. */
function blockLines(layouts: readonly Layout[], rowCount: number, width: number): readonly string[] {
  const titleWidth = layouts.reduce((widest, { heading }) => Math.max(widest, columnsOf(heading)), 0);
  const indent = ' '.repeat(titleWidth) + gap;
  const room = Math.max(width - columnsOf(indent), widthMin.text);
  const lines: string[] = [];
  for (let row = 0; row < rowCount; row += 1) {
    if (row > 0) lines.push('');
    for (const { heading, kind, cells } of layouts) {
      const { texts = [''], style } = cells[row] ?? {};
      if (texts[0] === '') continue;
      const title = paint(heading, 'bold', process.stdout) + ' '.repeat(titleWidth - columnsOf(heading));
      const values = kind === 'whole' ? texts : fitCell(texts, kind, room);
      lines.push(
        ...values.map((value, at) => (at === 0 ? title + gap : indent) + paint(value, style, process.stdout)),
      );
    }
  }
  return lines;
}

function lineOf(
  cells: readonly { readonly text: string; readonly style?: Style | undefined }[],
  layouts: readonly Layout[],
  widths: readonly number[],
): string {
  const last = cells.findLastIndex(({ text }) => text !== '');
  return cells
    .slice(0, last + 1)
    .map(({ text, style }, at) => {
      const padding = ' '.repeat(Math.max(0, (widths[at] ?? 0) - columnsOf(text)));
      const painted = paint(text, style, process.stdout);
      if (layouts[at]?.kind === 'number') return padding + painted;
      return at === last ? painted : painted + padding;
    })
    .join(gap);
}

function fitCell(texts: readonly string[], kind: Kind, width: number): readonly string[] {
  return texts.flatMap((text) => fitText(text, kind, width));
}

function fitText(text: string, kind: Kind, width: number): readonly string[] {
  if (columnsOf(text) <= width) return [text];
  if (kind !== 'path') return wrapText(text, width);
  // `from /a.md`: the word stays whole.
  const [, word = '', path = text] = /^(from )(.+)$/.exec(text) ?? [];
  return [word + shortenPath(path, width - word.length)];
}

/** `/notes/2026/…/agenda.md`: at most `width` columns. */
export function shortenPath(text: string, width: number): string {
  if (columnsOf(text) <= width) return text;
  const room = width - columnsOf(ellipsis);
  const start = takeWidth([...text], Math.floor(room * startShare)).join('');
  const end = takeWidth([...text].reverse(), room - columnsOf(start))
    .reverse()
    .join('');
  return `${start}${ellipsis}${end}`;
}

/** The end of a longer text is replaced by an ellipsis. */
export function cutText(text: string, width: number): string {
  if (columnsOf(text) <= width) return text;
  return `${takeWidth([...text], width - columnsOf(ellipsis)).join('')}${ellipsis}`;
}

function takeWidth(characters: readonly string[], width: number): string[] {
  const taken: string[] = [];
  let used = 0;
  for (const character of characters) {
    used += columnsOf(character);
    if (used > width) break;
    taken.push(character);
  }
  return taken;
}

/** Lines of at most `width` columns, broken at spaces; a longer word is broken after a sign within it, or where it has to be. */
export function wrapText(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (columnsOf(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    while (columnsOf(line) > width) {
      const part = takeWidth([...line], width).join('');
      // A character that is wider than the column is printed alone.
      const length = part.length === 0 ? ([...line][0]?.length ?? line.length) : breakAt(part);
      lines.push(line.slice(0, length));
      line = line.slice(length);
    }
  }
  return line === '' && lines.length > 0 ? lines : [...lines, line];
}

/** After the last sign in the second half of the part, else its end. */
function breakAt(part: string): number {
  const sign = Math.max(...[...'-_/.,:;|'].map((each) => part.lastIndexOf(each)));
  return sign + 1 > part.length / 2 ? sign + 1 : part.length;
}
