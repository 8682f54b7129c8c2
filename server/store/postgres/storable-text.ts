// Text of PostgreSQL cannot hold U+0000 (https://www.postgresql.org/docs/current/datatype-character.html). It is stored as two characters
// of the private use area, and so is the first of these, so that every text comes back as it was.
const mark = '\uF8FF';
const nul = '\uF8FE';

export function storableText(text: string): string {
  if (!text.includes('\0') && !text.includes(mark)) return text;
  return text.replaceAll(mark, mark + mark).replaceAll('\0', mark + nul);
}

export function textOfStored(stored: string): string {
  if (!stored.includes(mark)) return stored;
  return stored.replace(/\uF8FF([\uF8FE\uF8FF])/g, (_found, second: string) =>
    second === nul ? '\0' : mark,
  );
}
