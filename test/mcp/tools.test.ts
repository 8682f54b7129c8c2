// The tools, called by a real client over HTTP in both eras of the protocol.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { MooringClient } from '../../sdk/index.ts';
import { shortInput, shortOutput } from '../../server/mcp/tool-schemas.ts';
import { tools } from '../../server/mcp/tools/all.ts';
import { request } from '../support/api-request.ts';
import { type HttpAgent, makeWorkspace, openHttpAgent } from '../support/http-agent.ts';
import { call, connect, eras, refusal } from './mcp-client.ts';

let agent: HttpAgent;

beforeAll(async () => {
  agent = await openHttpAgent();
});
afterAll(() => agent.close());

async function openWorkspace(scopes?: readonly string[]) {
  return await makeWorkspace(agent, scopes === undefined ? {} : { scopes });
}

describe.each(eras)('in the era %s', (era) => {
  test('a file is created, read, edited, moved, deleted and restored', async () => {
    const { token } = await openWorkspace();
    const client = await connect(agent, token, era);
    const created = await call(client, 'write_file', { path: '/notes/a.md', content: 'one\ntwo\nthree\n' });
    expect(created.revision).toMatch(/^rev_\d+$/);
    const read = await call(client, 'read_file', { path: '/notes/a.md' });
    expect(read).toMatchObject({ content: 'one\ntwo\nthree\n', revision: created.revision, totalLines: 3 });
    const edited = await call(client, 'edit_file', {
      path: '/notes/a.md',
      edits: [{ oldText: 'two', newText: 'TWO' }],
    });
    expect(edited.diff).toContain('-two\n+TWO\n');
    const moved = await call(client, 'move_file', { from: '/notes', to: '/kept' });
    expect(moved).toMatchObject({ count: 1, paths: ['/kept/a.md'] });
    expect((await call(client, 'list_files')).entries.map((entry: { path: string }) => entry.path)).toEqual([
      '/kept',
      '/kept/a.md',
    ]);
    await call(client, 'delete_file', { path: '/kept/a.md' });
    expect((await call(client, 'list_files')).entries).toEqual([]);
    const { entries } = await call(client, 'history', { path: '/kept/a.md', diff: true });
    expect(entries[0]).toMatchObject({ action: 'delete', correlationId: expect.stringMatching(/^mcp-/) });
    await call(client, 'restore', { path: '/kept/a.md', batch: entries[0].batch });
    expect((await call(client, 'read_file', { path: '/kept/a.md' })).content).toBe('one\nTWO\nthree\n');
  });

  test('a conflict names the current revision and shows the current text', async () => {
    const { token } = await openWorkspace();
    const client = await connect(agent, token, era);
    const first = await call(client, 'write_file', { path: '/a.txt', content: 'first' });
    const without = await refusal(client, 'write_file', { path: '/a.txt', content: 'second' });
    expect(without).toMatchObject({
      code: 'revision_conflict',
      currentRevision: first.revision,
      currentText: 'first',
    });
    expect(without.remedy).toContain('read_file');
    const dry = await call(client, 'write_file', { path: '/a.txt', content: 'second', dryRun: 'true' });
    expect(dry).toMatchObject({ dryRun: true, conflict: expect.stringContaining(first.revision) });
    await call(client, 'write_file', { path: '/a.txt', content: 'second', baseRevision: first.revision });
    const stale = {
      path: '/a.txt',
      edits: [{ oldText: 'second', newText: 'x' }],
      baseRevision: first.revision,
    };
    expect((await refusal(client, 'edit_file', stale)).code).toBe('revision_conflict');
  });

  test('a change is waited for with a cursor, and own changes are marked', async () => {
    const { token, workspaceId } = await openWorkspace();
    const client = await connect(agent, token, era);
    const { cursor } = await call(client, 'wait_for_changes', { timeoutSeconds: 0 });
    await call(client, 'write_file', { path: '/own.txt', content: 'x' });
    const waiting = call(client, 'wait_for_changes', { cursor, timeoutSeconds: 20 });
    const own = await waiting;
    expect(own.changes).toMatchObject([{ path: '/own.txt', own: true }]);
    const next = call(client, 'wait_for_changes', {
      cursor: own.cursor,
      timeoutSeconds: 20,
      paths: ['/other'],
    });
    for (const path of ['/unrelated.txt', '/other/a.txt']) {
      await request(agent, `/v1/workspaces/${workspaceId}/fs/file?path=${path}`, {
        method: 'PUT',
        token,
        headers: { 'if-match': '*' },
        body: { content: 'x' },
      });
    }
    expect(await next).toMatchObject({ changes: [{ path: '/other/a.txt', own: false }], timedOut: false });
    expect(await call(client, 'wait_for_changes', { timeoutSeconds: '1' })).toMatchObject({
      changes: [],
      timedOut: true,
    });
  });

  test('a token without fs:write sees no writing tool, and calling one changes nothing', async () => {
    const { token } = await openWorkspace(['fs:read']);
    const client = await connect(agent, token, era);
    const { tools } = await client.listTools();
    expect(tools.every((tool) => tool.annotations?.readOnlyHint === true)).toBe(true);
    await expect(
      client.callTool({ name: 'write_file', arguments: { path: '/a', content: 'x' } }),
    ).rejects.toThrow();
    expect((await call(client, 'status')).readOnly).toBe(true);
    expect((await call(client, 'list_files')).entries).toEqual([]);
  });
});

test('arguments that are no boolean never write', async () => {
  const { token } = await openWorkspace();
  const client = await connect(agent, token);
  for (const dryRun of ['true', 'TRUE', 'yes', 1, '1', ['true'], {}]) {
    await client.callTool({ name: 'write_file', arguments: { path: '/dry.txt', content: 'x', dryRun } });
  }
  expect((await call(client, 'list_files')).entries).toEqual([]);
});

test('more than 20 files are deleted and restored only with confirm', async () => {
  const { token } = await openWorkspace();
  const client = await connect(agent, token);
  for (let index = 0; index < 21; index += 1) {
    await call(client, 'write_file', { path: `/many/${index}.txt`, content: 'x' });
  }
  expect(await refusal(client, 'delete_file', { path: '/many' })).toMatchObject({
    code: 'confirm_required',
    count: 21,
  });
  expect(await call(client, 'delete_file', { path: '/many', dryRun: true })).toMatchObject({ count: 21 });
  const deleted = await call(client, 'delete_file', { path: '/many', confirm: 'true' });
  expect(deleted.count).toBe(21);
  expect((await call(client, 'list_files')).entries).toEqual([]);
  const [entry] = (await call(client, 'history', { path: '/many/0.txt' })).entries;
  expect(await call(client, 'restore', { path: '/many', batch: entry.batch })).toMatchObject({ created: 21 });
});

test('a long file and a long list are read in parts that lose nothing', async () => {
  const { token } = await openWorkspace();
  const client = await connect(agent, token);
  const text = `${Array.from({ length: 400 }, (_, index) => `line ${index} ✓😀`).join('\n')}\n${'😀'.repeat(900)}`;
  await call(client, 'write_file', { path: '/long.txt', content: text });
  let read = '';
  let position: Record<string, unknown> = {};
  for (;;) {
    const part = await call(client, 'read_file', { path: '/long.txt', maxCharacters: 1001, ...position });
    expect(part.content.length).toBeLessThanOrEqual(1001);
    expect(part.content.isWellFormed()).toBe(true);
    read += part.content;
    if (!part.truncated) break;
    position = { startLine: part.nextLine, startCharacter: part.nextCharacter ?? 0 };
  }
  expect(read).toBe(text);
  for (let index = 0; index < 30; index += 1) {
    await call(client, 'write_file', { path: `/list/${index}.txt`, content: 'x' });
  }
  const paths: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await call(client, 'list_files', { path: '/list', maxCharacters: 500, cursor });
    paths.push(...page.entries.map((entry: { path: string }) => entry.path));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(new Set(paths).size).toBe(30);
});

test('a history of long paths is read in answers of a limited size that lose nothing', async () => {
  const { token, workspaceId } = await openWorkspace();
  const client = await connect(agent, token);
  const folder = `/past/${Array.from({ length: 6 }, (_, at) => `${at}`.repeat(60)).join('/')}`;
  const files = Array.from({ length: 30 }, (_, at) => ({ path: `${folder}/${at}.md`, content: 'x' }));
  await new MooringClient({ baseUrl: agent.url, token }).bulkWrite(workspaceId, files);
  const paths: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await call(client, 'history', { path: '/past', below: true, maxCharacters: 3_000, cursor });
    expect(JSON.stringify(page.entries).length).toBeLessThanOrEqual(3_000);
    paths.push(...page.entries.map((entry: { path: string }) => entry.path));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(paths.toSorted()).toEqual(files.map(({ path }) => path).toSorted());
});

test('a binary file is described, and its bytes are given when asked for', async () => {
  const { token } = await openWorkspace();
  const client = await connect(agent, token);
  await call(client, 'write_file', { path: '/b.bin', content: 'AAECAw==', base64: true });
  expect(await call(client, 'read_file', { path: '/b.bin' })).toMatchObject({
    binary: true,
    size: 4,
    sha256: '054edec1d0211f624fed0cbca9d4f9400b0e491c43742af2c5b0abebf0c990d8',
  });
  const { base64 } = await call(client, 'read_file', { path: '/b.bin', includeBytes: 'true' });
  expect(base64).toBe('AAECAw==');
  await call(client, 'write_file', { path: '/empty', content: '' });
  expect(await call(client, 'read_file', { path: '/empty' })).toMatchObject({ content: '', size: 0 });
});

test('the list of tools is small, and each tool has four hints, plain schemas and a title', async () => {
  const { token } = await openWorkspace();
  const client = await connect(agent, token);
  const { tools } = await client.listTools();
  expect(JSON.stringify(tools).length).toBeLessThan(12_000);
  expect(tools.map(({ name }) => name)).toEqual([
    'list_files',
    'read_file',
    'write_file',
    'edit_file',
    'move_file',
    'delete_file',
    'search',
    'history',
    'restore',
    'wait_for_changes',
    'changes',
    'status',
  ]);
  for (const tool of tools) {
    expect(Object.keys(tool.annotations ?? {}).sort()).toEqual([
      'destructiveHint',
      'idempotentHint',
      'openWorldHint',
      'readOnlyHint',
    ]);
    const text = JSON.stringify([tool.inputSchema, tool.outputSchema]);
    expect(text).not.toMatch(/"(anyOf|oneOf|allOf)"|"type":\[/);
    expect(tool.inputSchema.properties).toBeDefined();
    expect(tool.title).toBeTruthy();
  }
});

test('the listed schemas have the members, types and words of those that calls are checked with', () => {
  type Schema = {
    readonly [keyword: string]: unknown;
    readonly properties: Readonly<Record<string, Schema>>;
  };
  const typesOf = ({ properties }: Schema) =>
    Object.entries(properties).map(([name, { type, enum: words, maximum }]) => [name, type, words, maximum]);
  for (const { spec } of tools) {
    const input = shortInput(spec.input as never) as Schema;
    expect([spec.name, typesOf(input), input.required]).toEqual([
      spec.name,
      typesOf(spec.input as never),
      (spec.input as unknown as Schema).required,
    ]);
    const types = (schema: Schema) => typesOf(schema).map(([name, type]) => [name, type]);
    expect([spec.name, types(shortOutput(spec.output as never) as Schema)]).toEqual([
      spec.name,
      types(spec.output as never),
    ]);
  }
});

test('an argument is checked with the whole schema', async () => {
  const { token } = await openWorkspace();
  const client = await connect(agent, token);
  for (const [name, args] of [
    ['read_file', { path: '/a', startLine: 0 }],
    ['read_file', { path: '/a', unknown: 1 }],
    ['write_file', { path: '/a', content: 'x', baseRevision: 'rev_x' }],
    ['edit_file', { path: '/a', edits: [] }],
    ['list_files', { maxCharacters: 40_001 }],
    ['wait_for_changes', { timeoutSeconds: 51 }],
    ['wait_for_changes', { paths: Array.from({ length: 17 }, () => '/') }],
    ['changes', { action: 'commit', runId: 'x'.repeat(101) }],
    ['search', { query: '' }],
  ] as const) {
    expect([name, args, (await refusal(client, name, args)).code]).toEqual([name, args, 'arguments']);
  }
});

test('search finds what was just written, in answers of a limited size, page by page', async () => {
  const { token } = await openWorkspace();
  const client = await connect(agent, token);
  for (let index = 0; index < 12; index += 1) {
    const content = `the needle ${index}\n`.repeat(30);
    await call(client, 'write_file', { path: `/s/file${index}.md`, content });
  }
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await call(client, 'search', { query: 'needle', maxCharacters: 3_000, cursor });
    expect(JSON.stringify(page).length).toBeLessThan(4_500);
    for (const file of page.files) {
      found.push(file.path);
      expect(file.matches[0]).toMatchObject({ line: 1, text: expect.stringContaining('needle') });
      expect(file.moreMatches).toBe(true);
    }
    expect(page.truncated).toBe(page.nextCursor !== undefined);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(found).toHaveLength(12);
  expect(new Set(found).size).toBe(12);
  expect((await call(client, 'search', { query: 'file3', mode: 'name' })).files[0].path).toBe('/s/file3.md');
  expect((await refusal(client, 'search', { query: '(', mode: 'regex' })).code).toBe('bad_request');
});
