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
