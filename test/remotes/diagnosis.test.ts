// What `doctor` says of a remote, by what a connection of its own finds. A real server: test/flow/remotes/two-desktops.
import { expect, it } from 'vitest';
import {
  RemoteUnauthorizedError,
  RemoteUnavailableError,
} from '../../server/remotes/client/remote-server.ts';
import { diagnose } from '../../server/remotes/diagnosis.ts';
import type { RemoteView } from '../../server/remotes/port.ts';

const dayMs = 24 * 3_600_000;
const view = {
  url: 'https://hub.example.com',
  state: 'idle',
  files: 12,
  problems: 0,
  halt: null,
  tokenFile: '/keys/hub.token',
  tokenExpiresAtMs: 40 * dayMs,
} as RemoteView;

const answers = () => Promise.resolve('mooring' as const);
const fails = (error: Error) => () => Promise.reject(error);

async function checkOf(
  identify: () => Promise<'mooring' | 'other'>,
  remote: Partial<RemoteView> = {},
  clockOffsetMs = 0,
) {
  const server = { identify, clockOffsetMs };
  const { signal } = new AbortController();
  return await diagnose({ ...view, ...remote }, { server, nowMs: 30 * dayMs, signal });
}

it('a server that answers is ok, with its features', async () => {
  const whole = await checkOf(answers);
  expect(whole).toMatchObject({ name: 'remote https://hub.example.com', state: 'ok' });
  expect(whole.detail).toContain('up to date, 12 files');
  expect((await checkOf(() => Promise.resolve('other'))).detail).toContain('without bulk reads');
});

it('a clock that differs is a warning', async () => {
  const check = await checkOf(answers, {}, -90_000);
  expect(check).toMatchObject({ state: 'warning', next: expect.stringMatching(/Set the clock/) });
  expect(check.detail).toContain('clocks differ by 90 s');
});

it('a token that expires soon is a warning', async () => {
  const check = await checkOf(answers, { tokenExpiresAtMs: 31 * dayMs });
  expect(check).toMatchObject({ state: 'warning', next: 'Put a new token into /keys/hub.token.' });
  expect(check.detail).toContain('the token expires at 1970-02-01');
});

it.each([
  [
    new RemoteUnauthorizedError('it is revoked'),
    'failed',
    'the token is refused: it is revoked',
    '/keys/hub.token',
  ],
  [
    new RemoteUnavailableError('connect ECONNREFUSED'),
    'warning',
    'cannot be reached: connect ECONNREFUSED',
    'sent when the server answers',
  ],
  [
    new RemoteUnavailableError('self-signed certificate in certificate chain'),
    'warning',
    'self-signed certificate',
    'NODE_EXTRA_CA_CERTS',
  ],
  [new Error('Not found'), 'failed', 'Not found', 'Check the address'],
])('%s has its cause and remedy', async (error, state, detail, next) => {
  const check = await checkOf(fails(error));
  expect(check.state).toBe(state);
  expect(check.detail).toContain(detail);
  expect(check.next).toContain(next);
});

it('a halt names its deletions and both answers', async () => {
  const check = await checkOf(answers, {
    state: 'halted',
    halt: { side: 'here', deletions: 11, files: 12 },
  });
  expect(check).toMatchObject({ state: 'failed', detail: 'halted: 11 files would be deleted' });
  expect(check.next).toMatch(/--restore or --accept-deletions/);
});
