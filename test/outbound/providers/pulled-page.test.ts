// Pages of a refresh as they are read: large ones in slices, so that others get their turn, and none that is costly to parse.
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { refreshPageValuesMax } from '../../../server/delivery/limits.ts';
import { hashOf } from '../../../server/inbound/refresh/pulled-files.ts';
import type { PulledFile } from '../../../server/outbound/providers/provider.ts';
import { readPulledPage } from '../../../server/outbound/providers/pulled-page.ts';

const mebibyte = 1024 * 1024;
const bytesOf = (text: string) => Buffer.from(text);

/** How many turns others got while it ran. */
async function turnsDuring(work: Promise<unknown>): Promise<number> {
  let turns = 0;
  let runs = true;
  const ended = work.finally(() => {
    runs = false;
  });
  while (runs) {
    await nextTurn();
    turns += 1;
  }
  await ended;
  return turns;
}

describe('a page of a refresh', () => {
  it('lets others go first while a large one is parsed', async () => {
    const files = Array.from({ length: 8 }, (_, index) => ({
      path: `/git/${index}`,
      content: 'x'.repeat(2 * mebibyte),
    }));
    const body = bytesOf(JSON.stringify({ files, complete: true }));
    const page = readPulledPage(body);
    expect(await turnsDuring(page)).toBeGreaterThan(5);
    expect(await page).toMatchObject({ files: files.map(({ path }) => ({ path })), complete: true });
  });

  it('keeps a property that is no text as JSON', async () => {
    const semantics = { properties: { text: 'a', count: 1, list: [{ a: null }] } };
    const page = readPulledPage(
      bytesOf(JSON.stringify({ files: [{ path: '/git/a', content: '', semantics }] })),
    );
    expect((await page).files[0]?.semantics).toEqual({
      properties: { text: 'a', count: '1', list: '[{"a":null}]' },
    });
  });

  it.each([
    [
      'many values',
      `{"files":[],"more":[${'0,'.repeat(refreshPageValuesMax)}0]}`,
      /more than 500000 JSON values/,
    ],
    ['depth', `{"files":[],"more":${'['.repeat(257)}${']'.repeat(257)}}`, /nested more than 256 deep/],
    [
      'many members',
      `{"files":[],"more":{${Array.from({ length: 10_001 }, (_, index) => `"${index}":0`).join()}}}`,
      /more than 10000 members/,
    ],
    ['no JSON', '{"files":[', /is not JSON/],
    ['no text', '', /is not JSON/],
    ['a list', '[]', /has no list of files/],
  ])('is refused for %s', async (_, text, message) => {
    await expect(readPulledPage(bytesOf(text))).rejects.toThrow(message);
  });
});

describe('the hash of a pulled content', () => {
  const file = (content: string, encoding: string | null): PulledFile => ({
    path: '/git/a',
    deleted: false,
    content,
    encoding,
    contentType: null,
    providerObjectId: null,
    semantics: null,
  });
  const hex = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');
  // Odd, so that pairs of surrogates and groups of four cross the ends of slices; long enough for several time slices on a fast machine.
  const text = `x${'😀é'.repeat(3_000_000)}`;

  it('is that of its bytes, in slices', async () => {
    const hash = hashOf(file(text, null));
    expect(await turnsDuring(hash)).toBeGreaterThan(1);
    expect(await hash).toBe(hex(bytesOf(text)));
  });

  it('is that of what base64 means, also with line breaks', async () => {
    const base64 = bytesOf(text).toString('base64');
    const lines = base64.replace(/.{76}/g, '$&\r\n');
    const expected = hex(bytesOf(text));
    expect(await hashOf(file(base64, 'base64'))).toBe(expected);
    expect(await hashOf(file(lines, 'base64'))).toBe(expected);
    expect(await hashOf(file('', 'base64'))).toBe(hex(Buffer.alloc(0)));
  });

  it('is not known for another encoding', async () => {
    expect(await hashOf(file(text, 'latin1'))).toBeNull();
  });
});
