import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { maskedEntry } from '../../server/agent/masked-log.ts';
import type { LogRecord } from '../../server/platform/observe/log-search.ts';

const record: LogRecord = {
  id: '1.0',
  atMs: Date.parse('2026-03-01T12:00:00.000Z'),
  level: 'error',
  source: 'mirror',
  message: 'a file could not be written; retrying later',
  correlationId: 'corr-planted-7',
  fields: {},
};
/** Of people: names, folders, hosts, keys. Each has a part that nothing else has. */
const planted = fc
  .constantFrom(
    '/srv/maria/Plans/merger.md',
    'C:\\Users\\maria\\merger.md',
    'https://hooks.example.test/merger?key=1',
    'merger.md',
    'maria@example.test',
    'sk-live-merger-4f9a',
    'Merger GmbH: Übernahme',
  )
  .chain((text) =>
    fc.constantFrom(text, `ENOENT: no such file or directory, open '${text}'`, `${text}\n    at ${text}`),
  );
const names = fc.constantFrom(
  'path',
  'reason',
  'message',
  'code',
  'state',
  'kind',
  'dir',
  'url',
  'route',
  'method',
  'stack',
  'type',
);
const value = fc.letrec((tie) => ({
  any: fc.oneof({ depthSize: 'small' }, planted, fc.array(planted, { maxLength: 3 }), tie('object')),
  object: fc.dictionary(fc.oneof(names, planted), tie('any'), { maxKeys: 4 }),
})).any;
/** The agent names the fields itself. */
const loggedFields = fc.dictionary(fc.oneof(names, fc.constantFrom('err', 'cause')), value, { maxKeys: 4 });

describe('messages of the log', () => {
  it('are constant: what they are about is in fields', () => {
    const files = readdirSync('server', { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    );
    const calls = files.flatMap((name) => {
      const source = readFileSync(path.join('server', name), 'utf8');
      const found = source.matchAll(
        /log(?:ger)?\??\.(?:fatal|error|warn|info|debug|trace)\(\s*\{[^}]*\},\s*(?<quote>.)/g,
      );
      return [...found].map(({ groups }) => ({ name, quote: groups?.quote }));
    });
    expect(calls.length).toBeGreaterThan(20);
    expect(calls.filter(({ quote }) => quote === '`')).toEqual([]);
  });
});

describe('an entry of the log in the diagnostics bundle', () => {
  it('has no text of people in it, wherever it was logged', () => {
    fc.assert(
      fc.property(loggedFields, planted, planted, (fields, message, correlationId) => {
        const entry = maskedEntry(
          { ...record, message, correlationId, fields: fields as LogRecord['fields'] },
          'salt',
        );
        expect(JSON.stringify(entry)).not.toMatch(/maria|merger|example\.test|sk-live/i);
      }),
      { numRuns: 500 },
    );
  });

  it('says what happened, where, and to which of the things that the agent names', () => {
    const error = new Error("ENOSPC: no space left on device, write '/srv/maria/x'");
    error.stack = [
      error.message,
      '    at writeBatch (/srv/maria/mooring/server/disk/write/write-batch.ts:31:9)',
      '    at async WorkerFolder.apply (file:///srv/maria/mooring/dist/worker.mjs:9:120)',
      '    at /srv/maria/mooring/dist/worker.mjs:9:1',
    ].join('\n');
    const fields = {
      mirrorId: 'mir_1f2e',
      files: 7,
      durable: false,
      route: '/v1/workspaces/:workspaceId/fs/file',
      method: 'PUT',
      err: { type: 'Error', code: 'ENOSPC', message: error.message, stack: error.stack },
    };
    const entry = maskedEntry({ ...record, fields }, 'salt');
    expect(entry).toEqual({
      at: '2026-03-01T12:00:00.000Z',
      level: 'error',
      source: 'mirror',
      message: 'a file could not be written; retrying later',
      request: expect.stringMatching(/^[0-9a-f]{8}$/),
      fields: {
        mirrorId: 'mir_1f2e',
        files: 7,
        durable: false,
        route: '/v1/workspaces/:workspaceId/fs/file',
        method: 'PUT',
        err: {
          type: 'Error',
          code: 'ENOSPC',
          stack: [
            'writeBatch write-batch.ts:31:9',
            'async WorkerFolder.apply worker.mjs:9:120',
            'worker.mjs:9:1',
          ],
        },
      },
    });
    expect(maskedEntry({ ...record, correlationId: null }, 'salt').request).toBeNull();
    expect(maskedEntry(record, 'salt').request).toBe(entry.request);
    expect(maskedEntry(record, 'other').request).not.toBe(entry.request);
  });
});
