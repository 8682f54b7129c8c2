// Finds the paths of a block that have a word. Without objects per path, because a short word is in all of them. Pure.
import { pathSeparator } from './name-blocks.ts';

/** A position in a folded block: `next` moves it to the next path that has the word. */
export interface NameLines {
  readonly start: number;
  readonly end: number;
  /** false: there is none. */
  next(): boolean;
}

/** In one piece. */
export class LinesWithWord implements NameLines {
  start = 0;
  end = 0;
  readonly #text: string;
  readonly #word: string;

  constructor(text: string, word: string) {
    this.#text = text;
    this.#word = word;
  }

  next(): boolean {
    const at = this.#text.indexOf(this.#word, this.end);
    if (at === -1) return false;
    this.start = this.#text.lastIndexOf(pathSeparator, at) + 1;
    this.end = endOfLine(this.#text, at);
    return true;
  }
}

/** The characters of the word in their order, others in between. */
export class LinesWithPieces implements NameLines {
  start = 0;
  end = -1;
  readonly #text: string;
  readonly #word: string;

  constructor(text: string, word: string) {
    this.#text = text;
    this.#word = word;
  }

  next(): boolean {
    const text = this.#text;
    const word = this.#word;
    const { length } = text;
    let start = this.end + 1;
    let matched = 0;
    let wanted = word.charCodeAt(0);
    for (let at = start; at < length; at += 1) {
      const unit = text.charCodeAt(at);
      if (unit === wanted) {
        matched += 1;
        if (matched === word.length) {
          this.start = start;
          this.end = endOfLine(text, at);
          return true;
        }
        wanted = word.charCodeAt(matched);
      } else if (unit === 0) {
        start = at + 1;
        matched = 0;
        wanted = word.charCodeAt(0);
      }
    }
    this.end = length;
    return false;
  }
}

function endOfLine(text: string, from: number): number {
  const separator = text.indexOf(pathSeparator, from);
  return separator === -1 ? text.length : separator;
}
