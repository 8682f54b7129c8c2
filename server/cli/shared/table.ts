// Aligned tables that fit the width of the display: paths are shortened in the middle, texts continue on further lines. Nothing else is cut.
import stringWidth from 'string-width';
import { displayWidth, paint, type Style } from './display.ts';

export type Cell = string | { readonly text: string; readonly style: Style };

type Kind = 'path' | 'text' | 'number';

/** What the columns of these headings hold. `path`: shortened in the middle; `text`: wrapped; `number`: aligned right; others: whole. */
const kinds: Readonly<Record<string, Kind>> = {
  'CONFLICT COPY': 'path',
  FOLDER: 'path',
  PATH: 'path',
  URL: 'path',
  CAUSE: 'text',
  'CHANGED BY': 'text',
  'CREATED BY': 'text',
  DETAIL: 'text',
  'LARGEST DIRECTORIES': 'text',
  'LAST ERROR': 'text',
  NAME: 'text',
  NEXT: 'text',
  PROPOSAL: 'text',
  REASON: 'text',
  RESULT: 'text',
  SCOPES: 'text',
  WORKSPACE: 'text',
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
  'TO WORKSPACE': 'number',
  WRITES: 'number',
};

const gap = '  ';
const ellipsis = '…';
/** Narrower than this no column becomes; a table may then be wider than the display. */
const widthMin = { path: 12, text: 12 } as const;
/** Of a shortened path: the part of its start. The end, with the file's name, says more. */
const startShare = 1 / 3;

/** Prints nothing when there are no rows. Columns without any value are omitted. */
export function printTable(headings: readonly string[], rows: readonly (readonly Cell[])[]): void {
  if (rows.length === 0) return;
  const lines = tableLines(headings, rows, displayWidth());
  process.stdout.write(`${lines.join('\n')}\n`);
}

interface Layout {
  readonly heading: string;
  readonly kind: Kind | undefined;
  readonly cells: readonly { readonly text: string; readonly style?: Style }[];
  readonly natural: number;
}

export function tableLines(
  headings: readonly string[],
  rows: readonly (readonly Cell[])[],
  width: number,
): readonly string[] {
  const layouts = headings
    .map((heading, index) => layoutOf(heading, rows, index))
    .filter(({ cells }) => cells.some(({ text }) => text !== ''));
  const widths = fitWidths(layouts, width);
  const titles = layouts.map(({ heading }) => ({ text: heading, style: 'bold' as const }));
  const lines = [lineOf(titles, layouts, widths)];
  for (const index of rows.keys()) {
    const parts = layouts.map(({ kind, cells }, at) =>
      fitCell(cells[index]?.text ?? '', kind, widths[at] ?? 0),
    );
    const height = Math.max(1, ...parts.map((part) => part.length));
    for (let row = 0; row < height; row += 1) {
      const cells = layouts.map((layout, at) => ({ ...layout.cells[index], text: parts[at]?.[row] ?? '' }));
      lines.push(lineOf(cells, layouts, widths));
    }
  }
  return lines;
}

function layoutOf(heading: string, rows: readonly (readonly Cell[])[], index: number): Layout {
  const cells = rows.map((row) => {
    const cell = row[index] ?? '';
    return typeof cell === 'string' ? { text: plain(cell) } : { text: plain(cell.text), style: cell.style };
  });
  const natural = cells.reduce(
    (widest, { text }) => Math.max(widest, stringWidth(text)),
    stringWidth(heading),
  );
  return { heading, kind: kinds[heading], cells, natural };
}

/** Control characters as escapes, so that a name cannot break its row or change the terminal. */
function plain(text: string): string {
  return text.replaceAll(
    /\p{Cc}/gu,
    (control) => `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** The widest flexible columns are narrowed to one common width, as far as their minimum allows. */
function fitWidths(layouts: readonly Layout[], width: number): readonly number[] {
  const gaps = gap.length * Math.max(0, layouts.length - 1);
  const widthsAt = (widest: number) =>
    layouts.map(({ kind, heading, natural }) => {
      if (kind === undefined || kind === 'number') return natural;
      return Math.min(natural, Math.max(widest, widthMin[kind], stringWidth(heading)));
    });
  const isWithin = (widest: number) => widthsAt(widest).reduce((sum, each) => sum + each, gaps) <= width;
  let low = 0;
  let high = layouts.reduce((widest, { natural }) => Math.max(widest, natural), 0);
  if (isWithin(high)) return widthsAt(high);
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (isWithin(middle)) low = middle;
    else high = middle;
  }
  return widthsAt(low);
}

function lineOf(
  cells: readonly { readonly text: string; readonly style?: Style }[],
  layouts: readonly Layout[],
  widths: readonly number[],
): string {
  const last = cells.findLastIndex(({ text }) => text !== '');
  return cells
    .slice(0, last + 1)
    .map(({ text, style }, at) => {
      const padding = ' '.repeat(Math.max(0, (widths[at] ?? 0) - stringWidth(text)));
      const painted = paint(text, style, process.stdout);
      if (layouts[at]?.kind === 'number') return padding + painted;
      return at === last ? painted : painted + padding;
    })
    .join(gap);
}

function fitCell(text: string, kind: Kind | undefined, width: number): readonly string[] {
  if (stringWidth(text) <= width) return [text];
  return kind === 'path' ? [shortenPath(text, width)] : wrapText(text, width);
}

/** `/notes/2026/…/agenda.md`: at most `width` columns. */
export function shortenPath(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  const room = width - stringWidth(ellipsis);
  const start = takeWidth([...text], Math.floor(room * startShare)).join('');
  const end = takeWidth([...text].reverse(), room - stringWidth(start))
    .reverse()
    .join('');
  return `${start}${ellipsis}${end}`;
}

function takeWidth(characters: readonly string[], width: number): string[] {
  const taken: string[] = [];
  let used = 0;
  for (const character of characters) {
    used += stringWidth(character);
    if (used > width) break;
    taken.push(character);
  }
  return taken;
}

/** Lines of at most `width` columns, broken at spaces; a longer word is broken where it has to be. */
export function wrapText(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (stringWidth(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== '') lines.push(line);
    line = word;
    while (stringWidth(line) > width) {
      const part = takeWidth([...line], width).join('');
      // A character that is wider than the column is printed alone.
      const length = part.length === 0 ? ([...line][0]?.length ?? line.length) : part.length;
      lines.push(line.slice(0, length));
      line = line.slice(length);
    }
  }
  return line === '' && lines.length > 0 ? lines : [...lines, line];
}
