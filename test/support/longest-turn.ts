// How long a piece of work holds up everything else in its thread.

/** Milliseconds of processor time of the longest turn of the event loop during `work`. */
export async function longestTurnMs(work: () => Promise<void>): Promise<number> {
  let longestMs = 0;
  let before = process.threadCpuUsage();
  const note = (): void => {
    const { user, system } = process.threadCpuUsage(before);
    longestMs = Math.max(longestMs, (user + system) / 1000);
    before = process.threadCpuUsage();
  };
  let ended = false;
  const look = (): void => {
    note();
    if (!ended) setImmediate(look);
  };
  setImmediate(look);
  await work();
  ended = true;
  // Work that waits for nothing ends in the turn in which it began.
  note();
  return longestMs;
}

const repetitions = 3;

/**
 * The least of the longest turns of up to three runs, of as many as are not below `enoughMs`: a busy machine makes one of them longer, and
 * work that holds everything up does so in each.
 */
export async function leastLongestTurnMs(work: () => Promise<void>, enoughMs: number): Promise<number> {
  let leastMs = Number.POSITIVE_INFINITY;
  for (let run = 0; run < repetitions && leastMs >= enoughMs; run += 1)
    leastMs = Math.min(leastMs, await longestTurnMs(work));
  return leastMs;
}
