// Counts what a JSON text holds while its bytes arrive, so that one with too much in it is refused before anything of it is parsed.
// It also takes texts that are not JSON: those the parser refuses.

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;
/** Space, tab and line ends are at or below it; no other character that may stand outside of strings is. */
const space = 0x20;

export interface JsonLimits {
  /** Objects, arrays, strings, numbers and literals; names of members do not count. */
  readonly valuesMax: number;
  /** Objects and arrays inside of each other. */
  readonly depthMax: number;
  /** Members of one object: engines keep large objects as tables, which cost many times as much for each member as a list does. */
  readonly membersMax: number;
}

export type JsonExcess = 'too_many_values' | 'too_deep' | 'too_many_members';

export class JsonScan {
  readonly #limits: JsonLimits;
  #values = 0;
  #depth = 0;
  /** Of the object that is open at each level. */
  readonly #members: Uint32Array;
  #inString = false;
  #escaped = false;
  /** Inside a number or a literal. */
  #inScalar = false;

  constructor(limits: JsonLimits) {
    this.#limits = limits;
    this.#members = new Uint32Array(limits.depthMax + 1);
  }

  /** Takes the next bytes, in any pieces. null: it holds no more than it may so far. About 1 ns a byte. */
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
        // What was before it is a name.
        this.#values -= 1;
        // Of a text that is not JSON more may be closed than was opened.
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

  /** Index of the last byte that belongs to the string. */
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
