// Numbers of things in a sentence: `1 file`, `2,104 files`. The UI and the commands use it as well.

/** Whole numbers, in every language of the machine: `2,104`. Without Intl, whose first object takes 20 ms of a start. */
export function count(value: number): string {
  return String(Math.round(value)).replaceAll(/\B(?=(?:\d{3})+$)/g, ',');
}

/** `1 file`, `2,104 files`. */
export function plural(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}
