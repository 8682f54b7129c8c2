// Parses large JSON without blocking the thread: the text is split between values, JSON.parse parses each run of values, and control
// returns to the event loop between runs. It accepts and returns what JSON.parse does (test/property).
import { LongText, longTextCharacters } from '../../core/long-text.ts';
import { TimeSlices } from '../event-loop.ts';
import { characters } from './json.ts';
import { longStringBytes, pieceSize, stepsPerCheck } from './slice-sizes.ts';

const {
  quote,
  backslash,
  unicodeEscape,
  comma,
  colon,
  openBracket,
  closeBracket,
  openBrace,
  closeBrace,
  space,
} = characters;
const byteOrderMark = [0xef, 0xbb, 0xbf] as const;

/** Bytes of values parsed at once. */
const runBytes = 64 * 1024;

/** The text is not JSON, or exceeds limits that no writer reaches (a name over 256 KiB, a number or white space over 64 KiB). */
export class JsonSyntaxError extends Error {
  override readonly name = 'JsonSyntaxError';
}

/** An open object or array. Its members remain text until their run is long enough to be parsed. */
interface Frame {
  readonly start: number;
  readonly closedBy: number;
  /** Start of the unparsed members, and of the current one. */
  runStart: number;
  memberStart: number;
  /** The parsed members; null: none, so that it can still be parsed together with its parent. */
  value: unknown[] | Record<string, unknown> | null;
  /** The last member is parsed: only a comma or the end may follow. */
  complete: boolean;
}

/** Throws a JsonSyntaxError. */
export async function parseJsonInSlices(bytes: Uint8Array): Promise<unknown> {
  return (await parseJsonWithLongTexts(bytes, null)).value;
}

/** An object of parsed JSON, one of whose members is a LongText. */
export type HolderOfLongText = Record<string, unknown>;

export interface JsonWithLongTexts {
  readonly value: unknown;
  readonly holders: readonly HolderOfLongText[];
}

/** The same; members with the name `longMember` and at least `longTextCharacters` are a LongText. */
export async function parseJsonWithLongTexts(
  bytes: Uint8Array,
  longMember: string | null,
): Promise<JsonWithLongTexts> {
  const parser = new SlicedParser(bytes, longMember);
  const value = await parser.parse();
  return { value, holders: parser.holders };
}

class SlicedParser {
  readonly #bytes: Uint8Array;
  readonly #longMember: string | null;
  readonly holders: HolderOfLongText[] = [];
  readonly #begin: number;
  readonly #decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
  readonly #frames: Frame[] = [];
  #root: { readonly value: unknown; readonly end: number } | null = null;
  readonly #slices = new TimeSlices();

  constructor(bytes: Uint8Array, longMember: string | null) {
    this.#bytes = bytes;
    this.#longMember = longMember;
    this.#begin = byteOrderMark.every((byte, index) => bytes[index] === byte) ? byteOrderMark.length : 0;
  }

  async parse(): Promise<unknown> {
    const bytes = this.#bytes;
    const begin = this.#begin;
    let structuralIndex = begin;
    for (let index = begin, steps = 0, checkedIndex = begin; index < bytes.length; steps += 1) {
      if (steps % stepsPerCheck === 0 || index - checkedIndex > longStringBytes) {
        checkedIndex = index;
        await this.#slices.next();
      }
      const next = this.#step(index);
      if (next !== index) {
        index = typeof next === 'number' ? next : await next;
        structuralIndex = index;
        continue;
      }
      index += 1;
      if (index - structuralIndex > runBytes)
        throw new JsonSyntaxError('a number or white space is too long');
    }
    if (this.#frames.length > 0) throw new JsonSyntaxError('it ends too early');
    if (this.#root === null) return this.#parse(this.#text(begin, bytes.length));
    this.#requireBlank(this.#root.end, bytes.length);
    return this.#root.value;
  }

  /** The index after the token; `index` itself for a byte without structural meaning. */
  #step(index: number): number | Promise<number> {
    switch (this.#bytes[index]) {
      case quote:
        return this.#string(index);
      case openBrace:
        return this.#open(index, closeBrace);
      case openBracket:
        return this.#open(index, closeBracket);
      case closeBrace:
      case closeBracket:
        return this.#close(index);
      case comma:
        return this.#comma(index);
      case colon:
        return index + 1;
      default:
        return index;
    }
  }

  #open(index: number, closedBy: number): number {
    const from = index + 1;
    this.#frames.push({
      start: index,
      closedBy,
      runStart: from,
      memberStart: from,
      value: null,
      complete: false,
    });
    return from;
  }

  #comma(index: number): number {
    const frame = this.#frames.at(-1);
    if (frame === undefined) throw new JsonSyntaxError('a comma outside of everything');
    if (frame.complete) {
      this.#requireBlank(frame.runStart, index);
      frame.complete = false;
      frame.runStart = index + 1;
    } else if (index - frame.runStart > runBytes) {
      this.#parseRun(frame, index);
      frame.runStart = index + 1;
    }
    frame.memberStart = index + 1;
    return index + 1;
  }

  #close(index: number): number | Promise<number> {
    const frame = this.#frames.pop();
    if (frame === undefined || frame.closedBy !== this.#bytes[index])
      throw new JsonSyntaxError('a bracket that closes nothing');
    const end = index + 1;
    // Small: parsed together with its parent.
    if (frame.value === null && end - frame.start <= runBytes) return end;
    if (frame.complete) this.#requireBlank(frame.runStart, index);
    else this.#parseRun(frame, index);
    this.#add(frame.value, frame.start, end);
    return this.#slices.next()?.then(() => end) ?? end;
  }

  /** A long string becomes a separate member; a short one remains in its run. */
  #string(index: number): number | Promise<number> {
    const { end, done } = this.#passString(index + 1, index + 1 + longStringBytes);
    return done ? end : this.#longString(index);
  }

  async #longString(start: number): Promise<number> {
    const pieces: string[] = [];
    for (let from = start + 1; ; ) {
      const { end, done } = this.#passString(from, from + pieceSize);
      pieces.push(this.#decodePiece(from, done ? end - 1 : end));
      from = end;
      await this.#slices.next();
      if (!done) continue;
      this.#add(new LongText(pieces), start, end);
      return end;
    }
  }

  /** `done`: `end` is after the closing quote. Otherwise it is between two characters, at `until` or shortly after. */
  #passString(from: number, until: number): { readonly end: number; readonly done: boolean } {
    const bytes = this.#bytes;
    let index = from;
    while (index < bytes.length) {
      const byte = bytes[index];
      if (byte === quote) return { end: index + 1, done: true };
      // Bytes 10xxxxxx continue a character.
      if (index >= until && ((byte as number) & 0xc0) !== 0x80) return { end: index, done: false };
      if (byte === backslash) index += bytes[index + 1] === unicodeEscape ? 6 : 2;
      else index += 1;
    }
    throw new JsonSyntaxError('a string does not end');
  }

  #decodePiece(from: number, to: number): string {
    return this.#parse(`"${this.#text(from, to)}"`) as string;
  }

  /** Adds a parsed member to its parent, after parsing the members before it in the run. */
  #add(value: unknown, start: number, end: number): void {
    const frame = this.#frames.at(-1);
    if (frame === undefined) {
      if (this.#root !== null) throw new JsonSyntaxError('two values');
      this.#requireBlank(this.#begin, start);
      this.#root = { value: joined(value), end };
      return;
    }
    if (frame.complete) throw new JsonSyntaxError('two values without a comma');
    if (frame.runStart < frame.memberStart) this.#parseRun(frame, frame.memberStart - 1);
    frame.value ??= emptyOf(frame);
    if (Array.isArray(frame.value)) {
      this.#requireBlank(frame.memberStart, start);
      frame.value.push(joined(value));
    } else {
      const [name] = Object.keys(
        this.#parse(`{${this.#text(frame.memberStart, start)}0}`) as Record<string, unknown>,
      );
      const isKept =
        value instanceof LongText && name === this.#longMember && value.length >= longTextCharacters;
      setMember(frame.value, name as string, isKept ? value : joined(value));
      if (isKept) this.holders.push(frame.value);
    }
    frame.runStart = end;
    frame.complete = true;
  }

  /** Parses the members between `runStart` and `end`. */
  #parseRun(frame: Frame, end: number): void {
    const text = this.#text(frame.runStart, end);
    const mayBeEmpty = frame.value === null && this.#bytes[end] === frame.closedBy;
    frame.value ??= emptyOf(frame);
    let count = 0;
    if (Array.isArray(frame.value)) {
      for (const item of this.#parse(`[${text}]`) as unknown[]) {
        frame.value.push(item);
        count += 1;
      }
    } else {
      for (const [name, value] of Object.entries(this.#parse(`{${text}}`) as Record<string, unknown>)) {
        setMember(frame.value, name, value);
        count += 1;
      }
    }
    if (count === 0 && !mayBeEmpty) throw new JsonSyntaxError('a comma without a value');
  }

  #text(from: number, to: number): string {
    try {
      return this.#decoder.decode(this.#bytes.subarray(from, to));
    } catch {
      throw new JsonSyntaxError('not UTF-8');
    }
  }

  #parse(text: string): unknown {
    try {
      return JSON.parse(text);
    } catch {
      throw new JsonSyntaxError('not JSON');
    }
  }

  #requireBlank(from: number, to: number): void {
    for (let index = from; index < to; index += 1) {
      const byte = this.#bytes[index] as number;
      if (byte !== space && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d)
        throw new JsonSyntaxError('an unexpected value');
    }
  }
}

function emptyOf(frame: Frame): unknown[] | Record<string, unknown> {
  return frame.closedBy === closeBracket ? [] : {};
}

/** One text, whose pieces V8 joins when it is first read. */
function joined(value: unknown): unknown {
  return value instanceof LongText ? value.pieces.reduce((text, piece) => text + piece, '') : value;
}

/** Like JSON.parse: `__proto__` is an ordinary member. */
function setMember(object: Record<string, unknown>, name: string, value: unknown): void {
  if (name !== '__proto__') object[name] = value;
  else Object.defineProperty(object, name, { value, writable: true, enumerable: true, configurable: true });
}
