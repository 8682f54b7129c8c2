// Splits a text at ranges into parts that are marked or not. Pure.

/** From (included) to (excluded), in UTF-16 units. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

export interface TextPart {
  readonly text: string;
  readonly isMarked: boolean;
}

/** Overlapping ranges are joined; what is out of the text is ignored. */
export function textParts(text: string, ranges: readonly TextRange[]): readonly TextPart[] {
  const parts: TextPart[] = [];
  let at = 0;
  for (const { start, end } of ranges.toSorted((left, right) => left.start - right.start)) {
    const from = Math.max(at, start);
    const to = Math.min(end, text.length);
    if (to <= from) continue;
    if (from > at) parts.push({ text: text.slice(at, from), isMarked: false });
    parts.push({ text: text.slice(from, to), isMarked: true });
    at = to;
  }
  if (at < text.length) parts.push({ text: text.slice(at), isMarked: false });
  return parts;
}

/** The same characters in a text that begins elsewhere. */
export function shifted(ranges: readonly TextRange[], by: number): readonly TextRange[] {
  return by === 0 ? ranges : ranges.map(({ start, end }) => ({ start: start + by, end: end + by }));
}
