// Runs the commands of the guides and of README.md: every block that starts with `sh run`, in order.
import { execFile, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { startAgent } from '../support/agent-process.ts';
import { freshWorkspace, ownerClient } from '../support/client-of.ts';
import { program } from '../support/program.ts';
import { tempFolder } from '../support/temp-folder.ts';

const root = path.resolve(import.meta.dirname, '../..');
const folder = path.join(root, 'docs');
/** Documents without commands. */
const withoutCommands = [
  'README.md',
  'glossary.md',
  'mcp-tools.md',
  'command-line.md',
  'hub.md',
  'performance.md',
  'security.md',
  'sync-rules.md',
  'wire-contract.md',
];
const guides = readdirSync(folder).filter((name) => name.endsWith('.md') && !withoutCommands.includes(name));

function blocksOf(file: string): readonly string[] {
  const text = readFileSync(file, 'utf8');
  return [...text.matchAll(/^```sh run\n(.*?)^```$/gms)].map(([, block = '']) => block);
}

/** The command of `npm run -s mooring --`, without the start time of npm. */
const command = `${JSON.stringify(process.execPath)} ${JSON.stringify(program)}`;

/** Exit code and output. */
async function run(
  script: string,
  env: NodeJS.ProcessEnv,
): Promise<{ readonly code: number | string | null; readonly output: string }> {
  return await new Promise((resolve) => {
    execFile('bash', ['-euo', 'pipefail', '-c', script], { cwd: root, env }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : (error.code ?? null), output: stdout + stderr });
    });
  });
}

const runsHere = spawnSync('bash', ['-c', 'command -v curl']).status === 0;

it.for(guides)('the commands of %s succeed', async (guide, { skip }) => {
  skip(!runsHere, 'the guides require bash and curl');
  const blocks = blocksOf(path.join(folder, guide));
  expect(blocks.length).toBeGreaterThan(0);
  const agent = await startAgent();
  const { workspaceId, token } = await freshWorkspace(agent);
  const script = [
    `mooring() { ${command} "$@"; }`,
    // The function of the first block of docs/README.md.
    ...blocks,
  ].join('\n');
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    MOORING_DATA_DIR: agent.dataDir,
    API: agent.url,
    TOKEN: token,
    WORKSPACE: workspaceId,
  };
  const { code, output } = await run(script, env);
  expect([code, code === 0 ? '' : output]).toEqual([0, '']);
});

it('the first five minutes of README.md succeed when pasted together', async ({ skip }) => {
  skip(!runsHere, 'README.md requires bash and curl');
  const home = tempFolder('mooring-home');
  const agent = await startAgent();
  const owner = ownerClient(agent);
  const { workspaceId } = await owner.workspaces.create({ name: 'home' });
  await owner.mirrors.add(workspaceId, path.join(home, 'Mooring/home'));
  const script = blocksOf(path.join(root, 'README.md'))
    .join('\n')
    .replaceAll('http://127.0.0.1:4417', agent.url)
    .replaceAll('npm run -s mooring --', command)
    .replaceAll('workspace.tar.gz', path.join(home, 'workspace.tar.gz'));
  const { code, output } = await run(script, {
    PATH: process.env.PATH,
    HOME: home,
    MOORING_DATA_DIR: agent.dataDir,
  });
  expect([code, output]).toEqual([0, expect.stringContaining('written over HTTP')]);
  expect(output).toContain('"content":"hello\\n"');
  expect(output).not.toContain('"code":"not_found"');
  expect(existsSync(path.join(home, 'workspace.tar.gz'))).toBe(true);
});
