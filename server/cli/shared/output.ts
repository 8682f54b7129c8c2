// What commands print: answers to stdout, everything else to stderr; progress on a terminal only.
import stringWidth from 'string-width';

/**
 * What others wrote commands no terminal: an escape sequence in a name or a message is shown as text. What goes into a file or a
 * pipe is left as it is, since a difference may be meant for `patch`.
 */
export function print(line: string): void {
  process.stdout.write(`${process.stdout.isTTY ? visible(line) : line}\n`);
}

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

export function note(line: string): void {
  process.stderr.write(`${visible(line)}\n`);
}

/** Lines and tabs stay. */
export function visible(text: string): string {
  return text.replaceAll(/(?![\n\t])\p{Cc}/gu, codeOf);
}

function codeOf(control: string): string {
  return `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** `1 file`, `2 files`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Columns of equal width, one line a row whatever the cells hold; nothing at all when there are no rows. */
export function printTable(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  if (rows.length === 0) return;
  for (const line of tableLines([headings, ...rows])) print(line);
}

export function tableLines(rows: readonly (readonly string[])[]): readonly string[] {
  const all = rows.map((row) => row.map((cell) => cell.replaceAll(/\p{Cc}/gu, codeOf)));
  const widths = (all[0] ?? []).map((_, at) => Math.max(...all.map((row) => stringWidth(row[at] ?? ''))));
  return all.map((row) =>
    row
      .map((cell, at) => cell + ' '.repeat((widths[at] ?? 0) - stringWidth(cell)))
      .join('  ')
      .trimEnd(),
  );
}

/** One line on a terminal that is written over; elsewhere nothing, so that logs stay plain. */
export class Progress {
  #shown = false;

  show(text: string): void {
    if (!process.stderr.isTTY) return;
    process.stderr.write(`\r\u001b[K${text}`);
    this.#shown = true;
  }

  done(): void {
    if (this.#shown) process.stderr.write('\r\u001b[K');
    this.#shown = false;
  }
}

const byteUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < byteUnits.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${byteUnits[unit]}`;
}

const ageUnits = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
] as const;

/** How long, in the largest unit that it fills: `3 min`. Less than a second is `0 s`. */
export function formatAge(durationMs: number): string {
  const [unit, unitMs] = ageUnits.find((one) => durationMs >= one[1]) ?? ['s', 1_000];
  return `${Math.max(Math.floor(durationMs / unitMs), 0)} ${unit}`;
}
