// Counts the values of a JSON text while its bytes arrive, so that a text over a limit is refused before it is parsed. Texts that are
// not JSON pass; the parser rejects them.
import { characters } from './json.ts';

const { quote, backslash, comma, colon, openBracket, closeBracket, openBrace, closeBrace, space } =
  characters;

export interface JsonLimits {
  /** Objects, arrays, strings, numbers and literals; names of members do not count. */
  readonly valuesMax: number;
  /** Levels of objects and arrays. */
  readonly depthMax: number;
  /** Members of one object: V8 stores large objects as hash tables, which need many times the memory of a list. */
  readonly membersMax: number;
}

export type JsonExcess = 'too_many_values' | 'too_deep' | 'too_many_members';

export class JsonScan {
  readonly #limits: JsonLimits;
  #values = 0;
  #depth = 0;
  /** Members of the open object of each level. */
  readonly #members: Uint32Array;
  #inString = false;
  #escaped = false;
  /** Within a number or a literal. */
  #inScalar = false;

  constructor(limits: JsonLimits) {
    this.#limits = limits;
    this.#members = new Uint32Array(limits.depthMax + 1);
  }

  /** Adds the next bytes, split anywhere. null: within the limits so far. About 1 ns per byte. */
  add(bytes: Uint8Array): JsonExcess | null {
    const { valuesMax, depthMax, membersMax } = this.#limits;
    for (let index = 0; index < bytes.length; index += 1) {
      if (this.#inString) {
        index = this.#passString(bytes, index);
        continue;
      }
      const byte = bytes[index] as number;
      if (byte === quote) {
        this.#inString = true;
        this.#values += 1;
      } else if (byte === openBrace || byte === openBracket) {
        this.#values += 1;
        this.#depth += 1;
        if (this.#depth > depthMax) return 'too_deep';
        this.#members[this.#depth] = 0;
      } else if (byte === closeBrace || byte === closeBracket) this.#depth -= 1;
      else if (byte === colon) {
        // The preceding value is the name of a member.
        this.#values -= 1;
        // A text that is not JSON can close more levels than it opens.
        const level = Math.max(this.#depth, 0);
        const members = (this.#members[level] as number) + 1;
        if (members > membersMax) return 'too_many_members';
        this.#members[level] = members;
      } else if (byte !== comma && byte > space) {
        if (!this.#inScalar) this.#values += 1;
        this.#inScalar = true;
        if (this.#values > valuesMax) return 'too_many_values';
        continue;
      }
      this.#inScalar = false;
      if (this.#values > valuesMax) return 'too_many_values';
    }
    return null;
  }

  /** Index of the last byte of the string. */
  #passString(bytes: Uint8Array, from: number): number {
    let escaped = this.#escaped;
    let index = from;
    for (; index < bytes.length; index += 1) {
      const byte = bytes[index];
      if (escaped) escaped = false;
      else if (byte === backslash) escaped = true;
      else if (byte === quote) {
        this.#inString = false;
        break;
      }
    }
    this.#escaped = escaped;
    return index;
  }
}
