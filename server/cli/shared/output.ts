// Output of commands: results to stdout, messages to stderr, progress to a terminal only.
export { count as formatCount, formatBytes, plural } from '../../core/amounts.ts';
export { type Cell, printTable } from './table.ts';

import { displayWidth, paint, type Style } from './display.ts';
import { type Cell, cutText, wrapText } from './table.ts';

const indent = '  ';

/**
 * On a terminal, control characters in names and messages are printed as text, so that no escape sequence takes effect. Output to a file
 * or a pipe is unchanged, because a diff may be input for `patch`.
 */
export function print(line: string, style?: Style): void {
  const text = process.stdout.isTTY ? visible(line) : line;
  process.stdout.write(`${paint(text, style, process.stdout)}\n`);
}

/** A long message: on a terminal its further lines are indented. */
export function printText(text: string): void {
  const lines = process.stdout.isTTY ? wrapText(text, displayWidth() - indent.length) : [text];
  print(lines.join(`\n${indent}`));
}

/** After Ctrl-C: a terminal shows `^C`, and the prompt of the shell begins a line. */
export function endLine(): void {
  if (process.stdout.isTTY) process.stdout.write('\n');
}

export function printJson(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`);
}

export function note(line: string, style?: Style): void {
  process.stderr.write(`${paint(visible(line), style, process.stderr)}\n`);
}

/** Control characters as escapes, except line breaks and tabs. */
export function visible(text: string): string {
  return text.replaceAll(/(?![\n\t])\p{Cc}/gu, codeOf);
}

function codeOf(control: string): string {
  return `\\u${control.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** The cell of a path, with the path before a move below it. */
export function movedPath(path: string, from: string | undefined): Cell {
  return { text: path, below: from === undefined ? undefined : `from ${from}` };
}

/** One line on a terminal that is overwritten. Elsewhere it prints nothing, so that logs stay plain, or a line for each text. */
export class Progress {
  readonly isShown: boolean;
  readonly #loggedEveryMs: number;
  #loggedAtMs = Number.NEGATIVE_INFINITY;
  #shown = false;

  /** `always`: also where stderr is not a terminal, at most once in `loggedEveryMs`. */
  constructor(always = false, loggedEveryMs = 0) {
    this.isShown = always || process.stderr.isTTY === true;
    this.#loggedEveryMs = loggedEveryMs;
  }

  show(text: string): void {
    if (!this.isShown) return;
    if (process.stderr.isTTY) {
      // A line that wraps could not be overwritten, and a name must not change the terminal.
      const line = cutText(visible(text).replaceAll(/[\n\t]/g, ' '), stderrWidth() - 1);
      process.stderr.write(`\r\u001b[K${line}`);
      this.#shown = true;
      return;
    }
    const nowMs = performance.now();
    if (nowMs - this.#loggedAtMs < this.#loggedEveryMs) return;
    this.#loggedAtMs = nowMs;
    note(text);
  }

  done(): void {
    if (this.#shown) process.stderr.write('\r\u001b[K');
    this.#shown = false;
  }
}

/** The columns of the terminal to which progress is printed. */
function stderrWidth(): number {
  return process.stderr.columns || displayWidth();
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
