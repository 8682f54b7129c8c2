// The order of a list: by which column, up or down, and as text for the address. Pure.

export interface Sort<Id extends string = string> {
  readonly id: Id;
  readonly isDown: boolean;
}

/** Made by the first list that is sorted. */
let collator: Intl.Collator | undefined;

/** `item-2` before `item-10`, whatever the case. Equal names keep their order. */
export function compareNames(a: string, b: string): number {
  collator ??= new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });
  return collator.compare(a, b);
}

/** Ignores case. For lists that every page load sorts: the first comparison by a collator loads its rules, which takes 20 ms. */
export function compareTexts(a: string, b: string): number {
  const [left, right] = [a.toLowerCase(), b.toLowerCase()];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** A value that does not exist is last in both directions. */
export function compareNumbers(a: number | null, b: number | null): number {
  return (a ?? Number.NaN) - (b ?? Number.NaN) || 0;
}

/** `size`, `-size`; empty: the order of the list itself. */
export function sortText(sort: Sort | null): string {
  return sort === null ? '' : `${sort.isDown ? '-' : ''}${sort.id}`;
}

/** null: none of `ids`, so the order of the list itself. */
export function sortOf<Id extends string>(text: string, ids: readonly Id[]): Sort<Id> | null {
  const isDown = text.startsWith('-');
  const id = ids.find((each) => each === (isDown ? text.slice(1) : text));
  return id === undefined ? null : { id, isDown };
}

/** A click on a head: its useful direction first, then the other one. */
export function sortAfterClick<Id extends string>(
  sort: Sort<Id> | null,
  id: Id,
  firstIsDown: boolean,
): Sort<Id> {
  return { id, isDown: sort?.id === id ? !sort.isDown : firstIsDown };
}

/** A new list in the order of `compare`, turned round when `isDown`. Rows without a value stay last. */
export function sortedRows<T>(
  rows: readonly T[],
  { isDown }: Pick<Sort, 'isDown'>,
  compare: (a: T, b: T) => number,
  hasValue: (row: T) => boolean = () => true,
): readonly T[] {
  const sign = isDown ? -1 : 1;
  return rows.toSorted((a, b) => {
    const known = Number(hasValue(b)) - Number(hasValue(a));
    return known !== 0 ? known : sign * compare(a, b);
  });
}
