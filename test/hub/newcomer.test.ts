// The ten commands of docs/hub.md, from nothing to two desktops that share a workspace through a hub, on a real PostgreSQL.
import { execFile } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { beforeEach, expect, it } from 'vitest';
import { noPostgresClients, postgresPrograms } from '../../build/postgres.ts';
import { PostgresServer } from '../support/postgres-server.ts';
import { program } from '../support/program.ts';
import { tempFolder } from '../support/temp-folder.ts';

const guide = path.resolve(import.meta.dirname, '../../docs/hub.md');

beforeEach(({ skip }) => skip(noPostgresClients !== null, noPostgresClients ?? ''));

it('ten commands make a hub and two desktops that share a workspace', { timeout: 120_000 }, async () => {
  const [, block = ''] = /^```sh hub\n(.*?)^```$/ms.exec(readFileSync(guide, 'utf8')) ?? [];
  const commands = block.trim().split('\n');
  expect(commands).toHaveLength(10);
  const server = await PostgresServer.start();
  const home = tempFolder('mooring-newcomer');
  const bin = path.join(home, 'bin');
  mkdirSync(bin);
  const command = `exec ${JSON.stringify(process.execPath)} ${JSON.stringify(program)} "$@"\n`;
  writeFileSync(path.join(bin, 'mooring'), `#!/bin/sh\n${command}`, { mode: 0o755 });
  const { hostname, port } = new URL(server.url);
  // A person gives the next command when the one before has said that it is ready.
  const pasted = commands.flatMap((line) => {
    const [, listen] = /--listen (\S+).*&$/.exec(line) ?? [];
    return listen === undefined ? [line] : [line, `until curl -fs http://${listen}/health; do :; done`];
  });
  const script = [
    "trap 'kill $(jobs -p)' EXIT",
    ...pasted,
    'until test -s ~/team-ben/plan.md; do :; done',
    'cat ~/team-ben/plan.md',
    'mooring log /plan.md --data-dir ~/hub',
  ]
    .join('\n')
    .replaceAll('postgres://localhost/', `postgres://mooring@${hostname}:${port}/`);
  try {
    const { code, output } = await new Promise<{ code: number | string | null | undefined; output: string }>(
      (resolve) => {
        execFile(
          'bash',
          ['--norc', '-euo', 'pipefail', '-c', script],
          {
            cwd: home,
            timeout: 100_000,
            env: {
              PATH: [bin, postgresPrograms, process.env.PATH].join(path.delimiter),
              HOME: home,
              PGHOST: hostname,
              PGPORT: port,
              PGUSER: 'mooring',
            },
          },
          (error, stdout, stderr) =>
            resolve({ code: error === null ? 0 : error.code, output: stdout + stderr }),
        );
      },
    );
    expect([code, output]).toEqual([0, expect.stringContaining('written by Anna')]);
    expect(output).toMatch(/anna/);
  } finally {
    await server.close();
  }
});
