// Runs works of which only some may run at once.

/** The first failure ends the start of others, and is thrown when all that run have ended. */
export async function runSome(works: readonly (() => Promise<void>)[], atOnce: number): Promise<void> {
  const queue = [...works];
  const run = async () => {
    for (let work = queue.shift(); work !== undefined; work = queue.shift()) {
      try {
        await work();
      } catch (error) {
        queue.length = 0;
        throw error;
      }
    }
  };
  const results = await Promise.allSettled(Array.from({ length: Math.min(atOnce, works.length) }, run));
  for (const result of results) if (result.status === 'rejected') throw result.reason;
}
