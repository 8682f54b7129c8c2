// What commands print: answers to stdout, everything else to stderr; progress on a terminal only. Names and messages come from
// anyone who may write a file, and a terminal does what control characters in them say: they are shown as escapes, never sent.

/** Controls (a tab is none here), and what turns the direction of a line around. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what the rule is about.
const unprintable = /[\u0000-\u0008\u000a-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g;

/** One line that does what it looks like. In JSON the escapes mean the same as the characters. */
export function visible(text: string): string {
  return text.replace(unprintable, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

export function print(line: string): void {
  process.stdout.write(`${visible(line)}\n`);
}

export function printLines(text: string): void {
  for (const line of text.split('\n')) print(line);
}

/** Content of a file: as it is for a program that reads it, visible on a terminal. */
export function printContent(content: string | Uint8Array, isTerminal = process.stdout.isTTY): void {
  if (!isTerminal) process.stdout.write(content);
  else {
    const text = typeof content === 'string' ? content : new TextDecoder().decode(content);
    process.stdout.write(text.split('\n').map(visible).join('\n'));
  }
}

export function printJson(value: unknown): void {
  print(JSON.stringify(value));
}

/** May have several lines. */
export function note(text: string): void {
  for (const line of text.split('\n')) process.stderr.write(`${visible(line)}\n`);
}

/** `1 file`, `2 files`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Columns of equal width; nothing at all when there are no rows. */
export function printTable(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  if (rows.length === 0) return;
  const all = [headings, ...rows.map((row) => row.map(visible))];
  const widths = headings.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)));
  for (const row of all) {
    print(
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  }
}

/** One line on a terminal that is written over; elsewhere nothing, so that logs stay plain. */
export class Progress {
  #shown = false;

  show(text: string): void {
    if (!process.stderr.isTTY) return;
    process.stderr.write(`\r\u001b[K${visible(text)}`);
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
