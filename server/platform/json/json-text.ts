// Fast formatting of short strings and times for long lists.

/** For longer strings JSON.stringify is faster than checking each character. */
const shortCharacters = 128;
const dayMs = 86_400_000;

/** Equal to JSON.stringify of the text. */
export function jsonString(text: string): string {
  if (text.length > shortCharacters) return JSON.stringify(text);
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    // Control characters, quote, backslash, and surrogates, which might be unpaired.
    if (unit < 0x20 || unit === 0x22 || unit === 0x5c || (unit >= 0xd800 && unit <= 0xdfff)) {
      return JSON.stringify(text);
    }
  }
  return `"${text}"`;
}

let lastDay = Number.NaN;
let lastDate = '';
let lastMs = Number.NaN;
let lastTime = '';

/** Equal to `new Date(timeMs).toISOString()`; adjacent entries of a list mostly have the same time, or at least the same day. */
export function isoTime(timeMs: number): string {
  if (timeMs !== lastMs) {
    lastTime = isoTimeOf(timeMs);
    lastMs = timeMs;
  }
  return lastTime;
}

function isoTimeOf(timeMs: number): string {
  const day = Math.floor(timeMs / dayMs);
  if (day !== lastDay) {
    // Years with more than four digits have another format.
    const iso = new Date(timeMs).toISOString();
    if (iso.length !== 24) return iso;
    lastDay = day;
    lastDate = iso.slice(0, 11);
  }
  const inDay = Math.floor(timeMs) - day * dayMs;
  const seconds = Math.floor(inDay / 1000);
  const minutes = Math.floor(seconds / 60);
  return `${lastDate}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:${two(seconds % 60)}.${three(inDay % 1000)}Z`;
}

function two(value: number): string {
  return value < 10 ? `0${value}` : String(value);
}

function three(value: number): string {
  return value < 10 ? `00${value}` : value < 100 ? `0${value}` : String(value);
}
