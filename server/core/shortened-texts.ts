// The texts of a payload, and how those with thousands of characters are shown. The commands and the UI use it. Pure.
import { count, plural } from './amounts.ts';

const shownCharacters = 200;

/** A copy with other texts; names of members are the same. */
export function mapTexts(value: unknown, other: (text: string) => string): unknown {
  if (typeof value === 'string') return other(value);
  if (Array.isArray(value)) return value.map((item) => mapTexts(item, other));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, mapTexts(one, other)]));
}

/** The end of a shortened text. */
export const shortenedMark = /… \[text \d+: [\d,]+ characters, shortened\]$/;

/** The beginning of a long text, its number in the payload, and its length: `Dear… [text 1: 21,000 characters, shortened]`. */
export function shortenedText(text: string, number: number): string {
  // The cut must not split a character of two units.
  const begin = text.slice(0, shownCharacters).replace(/[\ud800-\udbff]$/, '');
  return `${begin}… [text ${number}: ${count(text.length)} characters, shortened]`;
}

export interface ShortenedPayload {
  readonly payload: unknown;
  /** `2 long texts`; null: nothing is shortened. */
  readonly shortened: string | null;
}

/** Texts with more than `charactersMax` characters are shortened. */
export function shortenedPayload(payload: unknown, charactersMax: number): ShortenedPayload {
  let long = 0;
  const short = mapTexts(payload, (text) => {
    if (text.length <= charactersMax) return text;
    long += 1;
    return shortenedText(text, long);
  });
  return { payload: short, shortened: long === 0 ? null : plural(long, 'long text') };
}
