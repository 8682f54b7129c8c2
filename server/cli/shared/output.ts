// Output of commands: results to stdout, messages to stderr, progress to a terminal only.
import stringWidth from 'string-width';

/**
 * On a terminal, control characters in names and messages are printed as text, so that no escape sequence takes effect. Output to a file
 * or a pipe is unchanged, because a diff may be input for `patch`.
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

/** Control characters as escapes, except line breaks and tabs. */
export function visible(text: string): string {
  return text.replaceAll(/(?![\n\t])\p{Cc}/gu, codeOf);
}

function codeOf(control: string): string {
  return `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** `1 file`, `2 files`. */
export function plural(count: number, singular: string, pluralForm = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : pluralForm}`;
}

/** Aligned columns with one line per row. Prints nothing when there are no rows. */
export function printTable(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  if (rows.length === 0) return;
  for (const line of tableLines([headings, ...rows])) print(line);
}

export function tableLines(rows: readonly (readonly string[])[]): readonly string[] {
  const lines = rows.map((row) => row.map((cell) => cell.replaceAll(/\p{Cc}/gu, codeOf)));
  const widths = (lines[0] ?? []).map((_, column) =>
    Math.max(...lines.map((row) => stringWidth(row[column] ?? ''))),
  );
  return lines.map((row) =>
    row
      .map((cell, column) => cell + ' '.repeat((widths[column] ?? 0) - stringWidth(cell)))
      .join('  ')
      .trimEnd(),
  );
}

/** One line on a terminal that is overwritten. Elsewhere it prints nothing, so that logs stay plain, or a line for each text. */
export class Progress {
  readonly isShown: boolean;
  #shown = false;

  /** `always`: also where stderr is not a terminal. */
  constructor(always = false) {
    this.isShown = always || process.stderr.isTTY;
  }

  show(text: string): void {
    if (!this.isShown) return;
    if (process.stderr.isTTY) {
      process.stderr.write(`\r\u001b[K${text}`);
      this.#shown = true;
    } else note(text);
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

/** A duration in its largest whole unit: `3 min`. Less than a second is `0 s`. */
export function formatAge(durationMs: number): string {
  const [unit, unitMs] = ageUnits.find(([, minimumMs]) => durationMs >= minimumMs) ?? ['s', 1_000];
  return `${Math.max(Math.floor(durationMs / unitMs), 0)} ${unit}`;
}
