import { expect, it } from 'vitest';
import { pathStatesOf } from '../../../server/mirror/status/path-states.ts';
import { summaryOf } from '../../../server/mirror/status/session-summary.ts';

/** A session with so many secret and local-only files; counts how many paths were looked at. */
function sessionOf(paths: number) {
  const secrets = new Set(Array.from({ length: paths }, (_, n) => `/d${paths - n}/.env`));
  const counted = { lookedAt: 0 };
  const session = {
    problemsVersion: '1',
    get localOnly() {
      counted.lookedAt += paths;
      return [...secrets];
    },
    trees: { secrets, tracked: paths },
    folderState: {
      ignores: (path: string) => {
        counted.lookedAt += 1;
        return path === '/d1/.env';
      },
    },
  };
  return { counted, session: session as unknown as Parameters<typeof summaryOf>[0], change: session };
}

it('a status looks at the paths of a session once for each change of the session, not for each question', () => {
  const { counted, session, change } = sessionOf(2_000);
  for (let question = 0; question < 50; question += 1)
    expect(summaryOf(session)).toEqual({ kept: 2_000, secrets: { count: 1_999, first: '/d10/.env' } });
  expect(counted.lookedAt).toBe(4_000);
  change.problemsVersion = '2';
  change.trees.secrets.delete('/d10/.env');
  expect(summaryOf(session)).toEqual({ kept: 1_999, secrets: { count: 1_998, first: '/d100/.env' } });
});

it('states of many paths look at each conflict once', () => {
  let lookedAt = 0;
  const conflicts = Array.from({ length: 500 }, (_, n) => ({
    get path() {
      lookedAt += 1;
      return `/c${n}`;
    },
    copyPath: `/c${n} (conflict)`,
  }));
  const row = { mirrorId: 'mir_1', rootPath: '/', mode: 'two-way', dir: '/x' };
  const mirror = { row, session: null, halt: { cause: null }, conflicts, failure: null };
  const paths = Array.from({ length: 1_000 }, (_, n) => `/c${n}`);
  const states = pathStatesOf(mirror as unknown as Parameters<typeof pathStatesOf>[0], paths);
  expect(states.get('/c499')?.state).toBe('conflict');
  expect(states.get('/c500')?.state).toBe('unknown');
  expect(lookedAt).toBe(500);
});
