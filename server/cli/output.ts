// What commands print: answers to stdout, everything else to stderr; progress on a terminal only.

export function print(line: string): void {
  process.stdout.write(`${line}\n`);
}

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

export function note(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** `1 file`, `2 files`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

/** Columns of equal width; nothing at all when there are no rows. */
export function printTable(headings: readonly string[], rows: readonly (readonly string[])[]): void {
  if (rows.length === 0) return;
  const all = [headings, ...rows];
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
