import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../server/platform/clock.ts';
import {
  SearchBusyError,
  type SearchQuery,
  SearchQueryError,
  SearchUnavailableError,
} from '../../server/search/search-query.ts';
import { SearchService } from '../../server/search/service.ts';
import { createManualClock } from '../support/manual-clock.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { waitFor } from '../support/wait-for.ts';

/** A thread that answers, is silent, refuses, ends, or reports aborts, as `q` says. */
const script = new URL(
  `data:text/javascript,${encodeURIComponent(`
  import { parentPort } from 'node:worker_threads';
  const aborted = [];
  parentPort.on('message', ({ kind, id, query }) => {
    if (kind === 'close') return process.exit(0);
    if (kind === 'abort') return void aborted.push(id);
    if (kind !== 'search') return;
    if (query.q === 'silent') return;
    if (query.q === 'spin') for (;;);
    if (query.q === 'exit') process.exit(3);
    if (query.q === 'refuse') return parentPort.postMessage({ kind: 'refused', id, reason: 'query', message: 'no' });
    parentPort.postMessage({ kind: 'found', id, json: new TextEncoder().encode(JSON.stringify({ aborted: aborted.length })) });
  });
  parentPort.postMessage({ kind: 'ready' });
`)}`,
);

function start(clock = systemClock) {
  const service = new SearchService({
    dataDir: tempFolder('mooring-search'),
    commits: { onCommit: () => () => undefined },
    storeReader: () => ({ access: { engine: 'sqlite', dataDir: '' }, transfer: [] }),
    clock,
    logger: { warn: () => undefined },
    script,
  });
  onTestFinished(() => service.close());
  const ask = (q: string, signal = new AbortController().signal) =>
    service.search({ ...query, q }, signal).then(String, (error: unknown) => error);
  return { service, ask };
}

const query: SearchQuery = {
  workspaceId: 'rw_test0001',
  q: '',
  mode: 'text',
  path: '/',
  pathOnly: false,
  glob: null,
  provider: null,
  changedSinceMs: null,
  limit: 10,
  cursor: null,
  context: 0,
  caseSensitive: false,
  forkId: null,
  waitMs: 0,
  access: null,
};

it('passes searches and refusals on', async () => {
  const { ask } = start();
  expect(await Promise.all([ask('one'), ask('refuse')])).toEqual([
    '{"aborted":0}',
    new SearchQueryError('no'),
  ]);
});

it('reports a caller that is gone to the thread', async () => {
  const { ask } = start();
  const gone = new AbortController();
  const asked = ask('silent', gone.signal);
  await ask('one');
  gone.abort();
  expect(await asked).toBeInstanceOf(SearchUnavailableError);
  expect(await ask('two')).toBe('{"aborted":1}');
});

it('refuses more searches than may run', async () => {
  const { ask } = start();
  const gone = new AbortController();
  const silent = Array.from({ length: 32 }, () => ask('silent', gone.signal));
  expect(await ask('one')).toBeInstanceOf(SearchBusyError);
  gone.abort();
  await Promise.all(silent);
  expect(await ask('one')).toContain('aborted');
});

it('starts another thread after one has ended, after a pause', async () => {
  const clock = createManualClock(Date.now());
  const { ask } = start(clock);
  expect(await ask('exit')).toBeInstanceOf(SearchUnavailableError);
  expect(await ask('one')).toBeInstanceOf(SearchUnavailableError);
  await clock.advance(1_000);
  expect(await ask('one')).toBe('{"aborted":0}');
});

it('replaces a thread that does not answer', async () => {
  const clock = createManualClock(Date.now());
  const { ask } = start(clock);
  await ask('one');
  const stuck = ask('spin');
  await clock.advance(60_000);
  expect(await stuck).toBeInstanceOf(SearchUnavailableError);
  await waitFor('another thread', async () => (await ask('one')) === '{"aborted":0}');
});

it('ends what runs when it is closed', async () => {
  const { service, ask } = start();
  const silent = ask('silent');
  await ask('one');
  await service.close();
  expect(await silent).toBeInstanceOf(SearchUnavailableError);
  expect(await ask('one')).toBeInstanceOf(SearchUnavailableError);
});
