// Text of PostgreSQL cannot hold U+0000 (https://www.postgresql.org/docs/current/datatype-character.html). It is stored as U+0001 U+0001, and
// U+0001 as U+0001 U+0002: every text comes back as it was, and sorts as before.
const nul = '\u0000';
const one = '\u0001';
const two = '\u0002';
const pairs = new RegExp(`${one}([${one}${two}])`, 'g');

export function storableText(text: string): string {
  if (!text.includes(nul) && !text.includes(one)) return text;
  return text.replaceAll(one, one + two).replaceAll(nul, one + one);
}

export function textOfStored(stored: string): string {
  if (!stored.includes(one)) return stored;
  return stored.replace(pairs, (_found, second: string) => (second === one ? nul : one));
}
