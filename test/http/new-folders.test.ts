// A folder before it is mirrored, on the wire: what is known of it, and the count of its files.
import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createMirrorManager } from '../../server/mirror/manager/manager.ts';
import { systemClock } from '../../server/platform/clock.ts';
import { createIds } from '../../server/platform/crypto/ids.ts';
import { createLogger } from '../../server/platform/observe/logger.ts';
import { createForks } from '../../server/workspaces/forks.ts';
import { codeOf, request } from '../support/api-request.ts';
import { makeWorkspace, startHttpAgent } from '../support/http-agent.ts';
import { inlineCompute } from '../support/inline-compute.ts';
import { tempFolder } from '../support/temp-folder.ts';

async function agentAt(home: string) {
  const parts = await startHttpAgent();
  const mirrors = createMirrorManager({
    clock: systemClock,
    ids: createIds(),
    logger: createLogger({ level: 'error' }),
    compute: inlineCompute,
    store: parts.store,
    workspaces: parts.workspaces,
    forks: createForks({ store: parts.store, clock: systemClock, uuid: () => crypto.randomUUID() }),
    cloudMachine: { platform: process.platform, home, env: {} },
    dataDir: path.join(home, 'data'),
    fileBytesMax: 10,
  });
  const agent = await startHttpAgent({ mirrors });
  const get = async (route: string, typed: string) =>
    await request(agent, `/v1/folders${route}?path=${encodeURIComponent(typed)}`);
  return { agent, get };
}

test('a folder is looked at and counted; nothing is created', async () => {
  const home = tempFolder();
  mkdirSync(path.join(home, 'notes/.git'), { recursive: true });
  mkdirSync(path.join(home, 'shared/.stfolder'), { recursive: true });
  writeFileSync(path.join(home, 'notes/.git/config'), 'ignored');
  writeFileSync(path.join(home, 'notes/a.md'), '12345');
  writeFileSync(path.join(home, 'notes/large'), '12345678901');
  const { get } = await agentAt(home);
  const notes = await get('', '~/no');
  expect(notes.json).toEqual({
    dir: `${home}/no`,
    kind: 'missing',
    refusal: null,
    cloud: null,
    proposals: ['~/notes'],
  });
  expect((await get('', '~/notes/a.md')).json).toMatchObject({
    kind: 'other',
    refusal: expect.stringContaining('not a folder'),
  });
  expect((await get('', '~/data/x')).json.refusal).toContain('overlaps the data directory');
  expect((await get('', '~/shared/new')).json.cloud).toMatchObject({
    service: 'Syncthing',
    folder: `${home}/shared`,
    relation: 'inside',
    text: expect.stringContaining('Two sync programs'),
  });
  expect((await get('', 'notes')).json).toMatchObject({ dir: null, proposals: [] });
  expect((await get('/count', '~/notes')).json).toEqual({
    files: 1,
    bytes: 5,
    tooLarge: 1,
    fileBytesMax: 10,
    complete: true,
  });
});

test('it is the owner who may ask, with a path', async () => {
  const { agent, get } = await agentAt(tempFolder());
  const { token } = await makeWorkspace(agent);
  for (const route of ['/v1/folders?path=/', '/v1/folders/count?path=/'])
    expect((await request(agent, route, { token })).status).toBe(403);
  for (const typed of ['', 'a\0b', `/${'a'.repeat(4096)}`])
    expect(codeOf(await get('', typed))).toEqual([400, 'bad_request']);
  expect(codeOf(await get('/count', 'relative'))).toEqual([400, 'bad_request']);
});
