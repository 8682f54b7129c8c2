// mooring mirror prove: whether a folder and its workspace are equal, found out anew; the exit code says it.
import type { Command } from 'commander';
import type { Mirror, MooringClient, ProofResult } from '../../../sdk/index.ts';
import { parseFolder, withJson } from '../shared/arguments.ts';
import { connect } from '../shared/connect.ts';
import { CommandFailure, exitCodes } from '../shared/failure.ts';
import { findMirror } from '../shared/mirror-arguments.ts';
import { describeProof } from '../shared/mirror-text.ts';
import { note, print, printJson } from '../shared/output.ts';
import { connectToWorkspace, type WorkspaceOptions } from '../shared/workspace-arguments.ts';

const proofMsMax = 3_600_000;

interface ProveOptions extends WorkspaceOptions {
  readonly dir?: string;
}

export function registerMirrorProve(mirror: Command): void {
  withJson(
    mirror
      .command('prove')
      .description(
        'hash everything and say whether folder and workspace are equal; exit code 0 only if they are',
      )
      .option('--workspace <workspace>', 'only the folders of this one: id or name')
      .option('--dir <dir>', 'only this folder of the workspace', parseFolder),
  ).action(prove);
}

async function prove(options: ProveOptions): Promise<void> {
  const { client, mirrors } = await chosen(options);
  const results: { mirror: Mirror; result: ProofResult }[] = [];
  for (const mirror of mirrors) {
    const result = await client.mirrors.prove(mirror.workspaceId, mirror.mirrorId, { timeoutMs: proofMsMax });
    results.push({ mirror, result });
    if (!options.json) {
      print(`${mirror.dir}: ${describeResult(result)}`);
      for (const path of result.proof.alarm?.paths ?? []) print(`  ${path}`);
    }
  }
  if (options.json) printJson({ proofs: results.map(({ result }) => result) });
  else if (results.length === 0)
    note('No mirror yet. Make one with "mooring mirror add --workspace W --dir DIR".');
  fail(results);
}

/** All there are where nothing is named. */
async function chosen(
  options: ProveOptions,
): Promise<{ readonly client: MooringClient; readonly mirrors: readonly Mirror[] }> {
  const { workspace, dir } = options;
  if (workspace === undefined && dir === undefined) {
    const { client } = await connect(options);
    return { client, mirrors: (await client.agentStatus()).mirrors };
  }
  const { client, workspaceId } = await connectToWorkspace(options);
  const mirrors =
    dir === undefined ? await client.mirrors.list(workspaceId) : [await findMirror(client, workspaceId, dir)];
  return { client, mirrors };
}

function describeResult({ outcome, proof }: ProofResult): string {
  if (outcome === 'inconclusive') return 'cannot be proved: it stands still, or is written all the time.';
  return describeProof(proof) ?? outcome;
}

function fail(results: readonly { mirror: Mirror; result: ProofResult }[]): void {
  if (results.some(({ result }) => result.outcome === 'not-equal')) {
    throw new CommandFailure(
      exitCodes.failed,
      'Folder and workspace differ, and nothing listed says why.',
      'See "mooring status" for each path and what to do.',
    );
  }
  const open = results.filter(({ result }) => result.outcome === 'inconclusive');
  if (open.length === 0) return;
  const stopped = open.some(({ mirror }) => ['paused', 'halted', 'error'].includes(mirror.state));
  throw new CommandFailure(
    stopped ? exitCodes.mirrorStopped : exitCodes.timeout,
    `${open.length} of ${results.length} mirrors could not be proved.`,
    stopped ? 'Resume it, then try again.' : 'Try again when nothing writes there.',
  );
}
