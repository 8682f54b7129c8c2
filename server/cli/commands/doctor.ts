// mooring doctor: what is well and what is not, with the next step. Works with and without a running agent.
import type { Command } from 'commander';
import type { Diagnostics } from '../../../sdk/index.ts';
import { type DiagnosticCheck, machineChecks } from '../../platform/observe/diagnostics.ts';
import { type CommonOptions, withJson } from '../shared/arguments.ts';
import { findAgent } from '../shared/connect.ts';
import { CommandFailure, exitCodes } from '../shared/failure.ts';
import { print, printJson } from '../shared/output.ts';
import { readConfig } from '../shared/run-agent.ts';

const marks = { ok: 'ok     ', warning: 'warning', failed: 'FAILED ' } as const;

export function registerDoctor(program: Command): void {
  withJson(
    program
      .command('doctor')
      .description('check the machine, the data and the mirrors; exit 1 when something failed'),
  ).action(doctor);
}

async function doctor(options: CommonOptions): Promise<void> {
  const { checks } = await examine(options.dataDir);
  if (options.json) printJson({ checks });
  else
    for (const check of checks) {
      print(`${marks[check.state]}  ${check.name}: ${check.detail}`);
      if (check.next !== undefined) print(`         ${check.next}`);
    }
  const failed = checks.filter((check) => check.state === 'failed').length;
  if (failed > 0)
    throw new CommandFailure(
      exitCodes.failed,
      failed === 1 ? 'One check failed.' : `${failed} checks failed.`,
    );
}

async function examine(dataDirOption: string | undefined): Promise<Diagnostics> {
  const agent = await findAgent(dataDirOption);
  if (agent !== null) {
    const reached = `pid ${agent.pid} answers at ${agent.url}`;
    const { checks } = await agent.client.diagnostics();
    return { checks: [{ name: 'agent', state: 'ok', detail: reached }, ...checks] };
  }
  const { dataDir } = readConfig({ flags: { dataDir: dataDirOption } });
  const absent: DiagnosticCheck = { name: 'agent', state: 'ok', detail: `none runs on ${dataDir}` };
  const { storeChecks } = await import('../../agent.ts');
  return { checks: [absent, ...machineChecks(dataDir), ...(await storeChecks(dataDir))] };
}
