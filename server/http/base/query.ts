// The query string of a request, read leniently and once. It keeps repeated parameters and remembers bytes that are not
// UTF-8, which are refused after everything that ranks above a bad request.

const plus = /\+/g;

export class Query {
  /** A percent sequence does not decode to UTF-8 (contract ruling 26). */
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

  /** The first value of that name; undefined when there is none. */
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

  /** Contract 0.6: no integer or below 1 -> default, above the maximum -> maximum. */
  integer(name: string, bounds: { readonly default: number; readonly max: number }): number {
    const value = this.first(name);
    if (value === undefined || !/^\+?\d+$/.test(value)) return bounds.default;
    const number = Number(value);
    return number < 1 ? bounds.default : Math.min(number, bounds.max);
  }
}
