// Numbers of things and bytes in a sentence: `1 file`, `2,104 files`, `4.0 KiB`. The commands, the UI and the desktop app use it as well.

/** Whole numbers, in every language of the machine: `2,104`. Without Intl, whose first object takes 20 ms of a start. */
export function count(value: number): string {
  return String(Math.round(value)).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `1 file`, `2,104 files`. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

const byteUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB'] as const;

/** Binary units: `6 B`, `4.0 KiB`. */
export function formatBytes(bytes: number): string {
  let value = bytes;
  let unit = 0;
  while (value >= 1024 && unit < byteUnits.length - 1) {
    value /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? value : value.toFixed(1)} ${byteUnits[unit]}`;
}
