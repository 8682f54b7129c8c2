// `mooring remote add` without the workspace of the server: the token says it, or the command says what to do.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { mooring } from '../support/agent-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const add = (file: string) =>
  mooring(['remote', 'add', '--new', 'team', '--url', 'http://127.0.0.1:1', '--token-file', file], {
    dataDir: tempFolder('mooring-no-agent'),
  });

it('a token that names no workspace needs --remote-workspace', async () => {
  const file = path.join(tempFolder('mooring-token'), 'token');
  writeFileSync(file, 'not a token of Mooring\n', { mode: 0o600 });
  const { code, stderr } = await add(file);
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('names no workspace: add --remote-workspace ID'),
  ]);
});

it('a file that is not there is named', async () => {
  const file = path.join(tempFolder('mooring-token'), 'none');
  const { code, stderr } = await add(file);
  expect([code, stderr]).toEqual([1, expect.stringContaining(`Cannot read ${file}`)]);
});
