// mooring mirror plan|prove: read-only checks. `plan` shows the next actions of a mirror, `prove` compares folder and workspace by hash
// and reports the result as its exit code.
import type { Command } from 'commander';
import type { Mirror, MooringClient, ProofResult } from '../../../sdk/index.ts';
import { parseFolder, withJson } from '../shared/arguments.ts';
import { connect } from '../shared/connect.ts';
import { CommandFailure, exitCodes, failure } from '../shared/failure.ts';
import { stoppedStates } from '../shared/follow.ts';
import {
  findMirror,
  listMirrors,
  type MirrorOptions,
  withOptionalFolder,
} from '../shared/mirror-arguments.ts';
import { describeProof, noMirrors } from '../shared/mirror-text.ts';
import { note, print, printJson, printTable } from '../shared/output.ts';
import { connectToWorkspace, withWorkspaceFilter } from '../shared/workspace-arguments.ts';

const proofMsMax = 3_600_000;

interface MirrorResult {
  readonly mirror: Mirror;
  readonly result: ProofResult;
}

export function registerMirrorChecks(mirror: Command): void {
  withJson(
    withOptionalFolder(mirror.command('plan').description('show the next sync actions without doing them')),
  ).action(plan);
  withJson(
    withWorkspaceFilter(
      mirror.command('prove').description('verify by hash that folder and workspace are equal'),
    ).option('--dir <DIR>', 'only this folder of the workspace', parseFolder),
  )
    .addHelpText('after', '\nExit codes: 0 equal, 1 different, 3 folder changing, 4 mirror stopped.')
    .action(prove);
}

async function plan(options: MirrorOptions): Promise<void> {
  const connected = await connectToWorkspace(options);
  const { client, workspaceId } = connected;
  const { mirrorId } = await findMirror(connected, options.dir);
  const planned = await client.mirrors.plan(workspaceId, mirrorId);
  if (options.json) return printJson(planned);
  printTable(
    ['CHANGES', 'ACTION', 'PATH', 'REASON'],
    planned.steps.map(({ side, action, path, from, why }) => [
      side,
      action,
      from === undefined ? path : `${from} -> ${path}`,
      why,
    ]),
  );
  if (planned.halt !== null) note(`Halted; none of these actions run: ${planned.halt.cause}`);
  if (planned.total > planned.steps.length) note(`${planned.total - planned.steps.length} more actions.`);
  for (const path of planned.unsettled) note(`Waiting for writes to ${path} to finish.`);
  if (planned.total === 0 && planned.unsettled.length === 0) note('Up to date.');
}

async function prove(options: MirrorOptions): Promise<void> {
  const { client, mirrors } = await selectMirrors(options);
  const results: MirrorResult[] = [];
  for (const mirror of mirrors) {
    const result = await client.mirrors.prove(mirror.workspaceId, mirror.mirrorId, { timeoutMs: proofMsMax });
    results.push({ mirror, result });
    if (!options.json) {
      print(`${mirror.dir}: ${describeResult(result)}`);
      for (const path of result.proof.alarm?.paths ?? []) print(`  ${path}`);
    }
  }
  if (options.json) printJson({ proofs: results.map(({ result }) => result) });
  else if (results.length === 0) note(noMirrors);
  failUnlessEqual(results);
}

/** All mirrors unless the options name a workspace or a folder. */
async function selectMirrors(
  options: MirrorOptions,
): Promise<{ readonly client: MooringClient; readonly mirrors: readonly Mirror[] }> {
  const { workspace, dir } = options;
  if (dir === undefined) {
    const { client } = await connect(options);
    return { client, mirrors: await listMirrors(client, workspace) };
  }
  const connected = await connectToWorkspace(options);
  const { client } = connected;
  return { client, mirrors: [await findMirror(connected, dir)] };
}

function describeResult({ outcome, proof }: ProofResult): string {
  if (outcome === 'inconclusive')
    return 'Could not verify: the mirror is stopped or the folder keeps changing.';
  return describeProof(proof) ?? outcome;
}

function failUnlessEqual(results: readonly MirrorResult[]): void {
  if (results.some(({ result }) => result.outcome === 'not-equal')) {
    throw failure(
      'Folder and workspace differ for an unknown reason.',
      'See each path and its next step with "mooring status".',
    );
  }
  const unverified = results.filter(({ result }) => result.outcome === 'inconclusive');
  if (unverified.length === 0) return;
  const isStopped = unverified.some(({ mirror }) => stoppedStates.has(mirror.state));
  throw new CommandFailure(
    isStopped ? exitCodes.mirrorStopped : exitCodes.timeout,
    `Could not verify ${unverified.length} of ${results.length} mirrors.`,
    isStopped ? 'Resume the mirror and try again.' : 'Try again when no program writes to the folder.',
  );
}
