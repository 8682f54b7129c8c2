// Two published mount programs of the reference begin at the same moment on a workspace that does not exist yet, against a real
// agent with --auto-provision: both finish their first round, and no request of the first use is answered with an error.
import { once } from 'node:events';
import { expect, it } from 'vitest';
import { startAgent } from '../support/agent-process.ts';
import { mountProgram, mountRunsHere, mountSkipReason, startMount } from '../support/relayfile-mount.ts';
import { signedToken } from '../support/signed-token.ts';
import { startGate } from '../support/starting-gate.ts';
import { tempFolder } from '../support/temp-folder.ts';

const rounds = 4;

/** Exit code of one whole round of the program into an empty folder. Its first request is a stream only when it may use one. */
async function mountOnce(program: string, args: readonly string[]): Promise<number | null> {
  const dirs = ['--local-dir', tempFolder('mooring-mount'), '--state-dir', tempFolder('mooring-mount-state')];
  const child = startMount([...args, ...dirs, '--mode', 'poll', '--once'], program);
  const [code] = (await once(child, 'exit')) as [number | null];
  return code;
}

it('two mount programs that start at once on an unknown workspace both succeed, in every round', {
  timeout: 120_000,
}, async ({ skip }) => {
  skip(!mountRunsHere, mountSkipReason);
  const program = mountProgram();
  const agent = await startAgent({ args: ['--auto-provision'] });
  for (let round = 0; round < rounds; round += 1) {
    const workspaceId = `ws_mount_${round}`;
    const token = await signedToken(agent, workspaceId);
    const gate = await startGate(agent.url, 2);
    const args = ['--base-url', gate.url, '--token', token, '--workspace', workspaceId];
    const websocket = `--websocket=${round % 2 === 0}`;
    const codes = await Promise.all([0, 1].map(() => mountOnce(program, [...args, websocket])));
    expect({ round, codes }).toEqual({ round, codes: [0, 0] });
    // It repeats what was refused, so its exit code alone would hide an error.
    expect(gate.statuses.filter((status) => status >= 400)).toEqual([]);
  }
});
