// Reads of many rows, asked for together where each would wait for an answer.
import type { Asked, ReadStatements } from './statements.ts';

/** Reads something for each item; `asked` are the statements that this begins with, which must not depend on each other. */
export function readInParts<Item, Result>(
  statements: ReadStatements,
  items: readonly Item[],
  asked: (item: Item) => readonly Asked[],
  read: (item: Item) => Result,
): Result[] {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += statements.readsTogether) {
    const part = items.slice(from, from + statements.readsTogether);
    const found = statements.together(statements.readsTogether === 1 ? [] : part.flatMap(asked), () =>
      part.map(read),
    );
    for (const one of found) results.push(one);
  }
  return results;
}

/** In parts of `size`; the last one may have less. */
export function* inParts<Item>(items: Iterable<Item>, size: number): Generator<readonly Item[], undefined> {
  let part: Item[] = [];
  for (const item of items) {
    part.push(item);
    if (part.length < size) continue;
    yield part;
    part = [];
  }
  if (part.length > 0) yield part;
}
