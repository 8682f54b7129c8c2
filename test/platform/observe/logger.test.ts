import { describe, expect, it } from 'vitest';
import { createLogger, type LogFields, type LogLevel } from '../../../server/platform/observe/logger.ts';

function logOf(level: LogLevel = 'trace') {
  const lines: string[] = [];
  const log = createLogger({ level, stream: { write: (line: string) => void lines.push(line) } });
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown> };
}

function written(fields: LogFields, message = 'said'): Record<string, unknown> {
  const { log, last } = logOf();
  log.info(fields, message);
  const { time, pid, ...rest } = last();
  expect([typeof time, pid]).toEqual(['string', process.pid]);
  return rest;
}

const jwt = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0.c2lnbmF0dXJl';

describe('a line of the log', () => {
  it('tells level, message and fields, those of its parents included', () => {
    const { log, last } = logOf();
    log
      .child({ room: 'http' })
      .child({ correlationId: 'c1' })
      .warn({ status: 503, path: '/a/b?c.txt' }, 'slow');
    expect(last()).toMatchObject({
      level: 'warn',
      room: 'http',
      correlationId: 'c1',
      status: 503,
      path: '/a/b?c.txt',
      msg: 'slow',
    });
  });

  it('is not written below the level', () => {
    const { log, lines } = logOf('warn');
    log.info({}, 'no');
    log.debug({}, 'no');
    log.error({}, 'yes');
    expect(lines).toHaveLength(1);
  });

  it('tells of an error its name, message, code, stack and cause', () => {
    const cause = Object.assign(new Error('disk'), { code: 'ENOSPC' });
    expect(written({ err: new RangeError('outer', { cause }) })).toMatchObject({
      err: {
        type: 'RangeError',
        message: 'outer',
        stack: expect.stringContaining('logger.test'),
        cause: { code: 'ENOSPC', message: 'disk' },
      },
    });
  });

  it('survives what cannot be written as JSON', () => {
    const round: Record<string, unknown> = { n: 1n, bytes: new Uint8Array(3) };
    round.self = round;
    expect(JSON.stringify(written({ round }))).toContain('[deeper]');
    expect(written({ n: 1n, bytes: new Uint8Array(3), none: undefined })).toEqual({
      level: 'info',
      msg: 'said',
      n: '1',
      bytes: '[3 bytes]',
    });
  });

  it('is bounded where a list is not', () => {
    expect((written({ paths: Array.from({ length: 5_000 }, () => 'p') }).paths as unknown[]).length).toBe(
      100,
    );
  });
});

describe('never in the log', () => {
  it.each([
    'token',
    'Authorization',
    'ownerToken',
    'owner_token',
    'content',
    'fileContent',
    'body',
    'query',
    'querystring',
    'set-cookie',
    'cookie',
    'secret',
    'hmac-secret',
    'password',
    'payload',
    'signature',
    'signInCode',
    'text',
  ])('is a field %s, at any depth', (name) => {
    expect(
      JSON.stringify(written({ [name]: 'private', a: { b: [{ [name]: { deep: 'private' } }] } })),
    ).not.toContain('private');
  });

  it.each([
    ['a message', {}, `refused ${jwt}`],
    ['a field', { note: `got ${jwt}.` }, 'x'],
    ['an error', { err: new Error(`bad ${jwt}`) }, 'x'],
    ['the cause of an error', { err: new Error('x', { cause: `bad ${jwt}` }) }, 'x'],
  ])('is a token inside %s', (_, fields, message) => {
    const line = JSON.stringify(written(fields, message));
    expect(line).not.toContain(jwt.slice(0, 20));
    expect(line).toContain('[removed]');
  });

  it('is the query or fragment of an address', () => {
    const line = written({
      url: '/v1/workspaces/rw_a/fs/ws?token=abc&from=now',
      link: 'http://127.0.0.1:4417/#code=abc',
      at: new URL('http://127.0.0.1:4417/x?token=abc'),
      note: 'GET /v1/agent?token=abc failed, see https://h/x?y=abc',
    });
    expect(line).toEqual({
      level: 'info',
      msg: 'said',
      url: '/v1/workspaces/rw_a/fs/ws',
      link: 'http://127.0.0.1:4417/',
      at: 'http://127.0.0.1:4417/x',
      note: 'GET /v1/agent failed, see https://h/x',
    });
  });

  it('is a secret among the fields of a child', () => {
    const { log, last } = logOf();
    log.child({ token: 'private', url: '/v1/x?token=private' }).info({}, 'x');
    expect(JSON.stringify(last())).not.toContain('private');
  });
});

it('identifiers of tokens and counts are no secrets', () => {
  expect(written({ tokenId: 'tok_1', tokens: 3, contentType: 'text/plain', contentHash: 'ab' })).toEqual({
    level: 'info',
    msg: 'said',
    tokenId: 'tok_1',
    tokens: 3,
    contentType: 'text/plain',
    contentHash: 'ab',
  });
});
