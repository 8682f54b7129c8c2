// Parses the query string of a request once. It preserves repeated parameters and reports bytes that are not UTF-8, which are refused
// after all checks that precede a bad request.

const plus = /\+/g;

export class Query {
  /** A percent sequence does not decode to UTF-8 (docs/wire-contract.md#bytes-and-encoding). */
  readonly malformed: boolean;
  readonly entries: readonly (readonly [name: string, value: string])[];

  constructor(text: string) {
    let malformed = false;
    const decode = (part: string): string => {
      const spaced = part.includes('+') ? part.replace(plus, ' ') : part;
      if (!spaced.includes('%')) return spaced;
      try {
        return decodeURIComponent(spaced);
      } catch {
        malformed = true;
        return spaced;
      }
    };
    const entries: [string, string][] = [];
    if (text !== '') {
      for (const pair of text.split('&')) {
        if (pair === '') continue;
        const equals = pair.indexOf('=');
        entries.push(
          equals === -1
            ? [decode(pair), '']
            : [decode(pair.slice(0, equals)), decode(pair.slice(equals + 1))],
        );
      }
    }
    this.entries = entries;
    this.malformed = malformed;
  }

  /** The first value of that name; undefined: absent. */
  first(name: string): string | undefined {
    for (const [key, value] of this.entries) if (key === name) return value;
    return undefined;
  }

  /** The first value, unless it is empty. */
  text(name: string): string | undefined {
    const value = this.first(name);
    return value === '' ? undefined : value;
  }

  all(name: string): readonly string[] {
    return this.entries.filter(([key]) => key === name).map(([, value]) => value);
  }

  /** Not an integer or below 1: the default. Above the maximum: the maximum (docs/wire-contract.md#identifiers-and-numbers). */
  integer(name: string, bounds: { readonly default: number; readonly max: number }): number {
    const value = this.first(name);
    if (value === undefined || !/^\+?\d+$/.test(value)) return bounds.default;
    const number = Number(value);
    return number < 1 ? bounds.default : Math.min(number, bounds.max);
  }
}
