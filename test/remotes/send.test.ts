import { expect, it } from 'vitest';
import { systemClock } from '../../server/platform/clock.ts';
import { send } from '../../server/remotes/actions/send.ts';
import { requestsMax } from '../../server/remotes/limits.ts';
import type { RemoteContext } from '../../server/remotes/state/context.ts';
import { Differences } from '../../server/remotes/state/differences.ts';
import { PathProblems } from '../../server/remotes/state/path-problems.ts';
import { Progress } from '../../server/remotes/state/progress.ts';
import type { Slice } from '../../server/remotes/state/slice.ts';

/** A server that answers deletions when so many are open, or no other follows. */
function serverThatWaitsFor(open: number, deletions: number) {
  const waiting: (() => void)[] = [];
  const seen = { most: 0, all: 0 };
  return {
    seen,
    epoch: 'e',
    async remove(path: string, expected: string) {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        seen.all += 1;
        seen.most = Math.max(seen.most, waiting.length);
        if (waiting.length === open || seen.all === deletions)
          for (const answer of waiting.splice(0)) answer();
      });
      return path === '/kept' ? { kind: 'conflict' } : { kind: 'written', revision: `${expected} deleted` };
    },
    read: async () => [{ kind: 'file', version: { revision: 'rev_9', hash: 'h' } }],
  };
}

it('deletes several files of the other server at once, and records each by its answer', async () => {
  const paths = ['/kept', ...Array.from({ length: 9 }, (_, at) => `/${at}`)];
  const server = serverThatWaitsFor(requestsMax, paths.length);
  const removed: string[] = [];
  const context = {
    clock: systemClock,
    row: { remoteId: 'r' },
    server,
    kind: 'mooring',
    signal: new AbortController().signal,
    dirty: new Set<string>(),
    differences: new Differences(),
    problems: new PathProblems(systemClock),
    progress: new Progress(systemClock),
    atKillPoint: () => undefined,
    store: {
      remotes: {
        recordSent: async () => undefined,
        saveBase: async ({ removals }: { readonly removals: readonly string[] }) => removed.push(...removals),
      },
    },
  };
  const slice = { localAt: () => null, baseAt: () => null, remoteAt: () => ({ revision: 'rev_1' }) };
  const groups = paths.map((path) => [{ kind: 'delete', path }]);
  await send(context as unknown as RemoteContext, slice as unknown as Slice, groups as never);
  expect(server.seen).toEqual({ most: requestsMax, all: paths.length });
  expect(removed.toSorted()).toEqual(paths.filter((path) => path !== '/kept').toSorted());
  // It was changed there meanwhile, so it is decided on again.
  expect([...context.dirty]).toEqual(['/kept']);
});
