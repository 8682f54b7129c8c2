// Fast writing of the two things that long lists are made of: short texts and times. Pure.

/** Beyond this the built-in writer is faster than a look at each character. */
const shortCharacters = 128;
const dayMs = 86_400_000;

/** The same as JSON.stringify of the text. */
export function jsonString(text: string): string {
  if (text.length > shortCharacters) return JSON.stringify(text);
  for (let index = 0; index < text.length; index += 1) {
    const unit = text.charCodeAt(index);
    // Controls, the quote, the backslash, and surrogates, which might stand alone.
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

/** The same as `new Date(timeMs).toISOString()`; neighbours in a list are mostly of one moment, or at least of one day. */
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
    // Years beyond four digits are written otherwise; nobody sees them, but they must not be wrong.
    const whole = new Date(timeMs).toISOString();
    if (whole.length !== 24) return whole;
    lastDay = day;
    lastDate = whole.slice(0, 11);
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
