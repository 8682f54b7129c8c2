// Many requests of one action: some at a time, so that other requests of the page and the agent are not delayed.

/** The results in the order of `all`. A failure ends it after those that run. */
export async function someAtOnce<T, Result>(
  all: readonly T[],
  atOnce: number,
  work: (one: T) => Promise<Result>,
): Promise<readonly Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < all.length; from += atOnce) {
    const wave = await Promise.allSettled(all.slice(from, from + atOnce).map(work));
    for (const each of wave) {
      if (each.status === 'rejected') throw each.reason;
      results.push(each.value);
    }
  }
  return results;
}
