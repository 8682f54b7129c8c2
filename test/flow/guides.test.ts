// The commands of the guides, run as a reader runs them: every block that begins with `sh run`, in the order of its guide.
import { execFile, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { startAgent } from '../support/agent-process.ts';
import { freshWorkspace } from '../support/client-of.ts';

const root = path.resolve(import.meta.dirname, '../..');
const folder = path.join(root, 'docs');
const guides = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'README.md');

function blocksOf(guide: string): readonly string[] {
  const text = readFileSync(path.join(folder, guide), 'utf8');
  return [...text.matchAll(/^```sh run\n(.*?)^```$/gms)].map(([, block = '']) => block);
}

/** What it printed and its exit code. */
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

it.for(guides)('%s does what it says', async (guide, { skip }) => {
  skip(!runsHere, 'the guides are written for bash and curl, which are not here');
  const blocks = blocksOf(guide);
  expect(blocks.length).toBeGreaterThan(0);
  const agent = await startAgent();
  const { workspaceId, token } = await freshWorkspace(agent);
  const script = [
    `mooring() { ${JSON.stringify(process.execPath)} server/cli.ts "$@"; }`,
    // What a reader's shell holds after the first block of docs/README.md.
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
