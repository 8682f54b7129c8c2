// mooring doctor: checks machine, data, mirrors and remotes, with a next step for each problem. Works with and without a running agent.
import type { Command } from 'commander';
import type { Diagnostics } from '../../../sdk/index.ts';
import { type DiagnosticCheck, machineChecks } from '../../platform/observe/diagnostics.ts';
import { type CommonOptions, withJson } from '../shared/arguments.ts';
import { findAgent } from '../shared/connect.ts';
import { failure } from '../shared/failure.ts';
import { print, printJson } from '../shared/output.ts';
import { readConfig } from '../shared/run-agent.ts';

const marks = { ok: 'ok     ', warning: 'warning', failed: 'FAILED ' } as const;

const markStyles = { ok: undefined, warning: 'yellow', failed: 'red' } as const;

export function registerDoctor(program: Command): void {
  withJson(program.command('doctor').description('check the machine, the data, the mirrors and the remotes'))
    .addHelpText('after', '\nExit codes: 0 all checks passed, 1 a check failed.')
    .action(doctor);
}

async function doctor(options: CommonOptions): Promise<void> {
  const { checks } = await runChecks(options.dataDir);
  if (options.json) printJson({ checks });
  else
    for (const check of checks) {
      print(`${marks[check.state]}  ${check.name}: ${check.detail}`, markStyles[check.state]);
      if (check.next !== undefined) print(`         ${check.next}`);
    }
  const failed = checks.filter((check) => check.state === 'failed').length;
  if (failed > 0) throw failure(failed === 1 ? 'One check failed.' : `${failed} checks failed.`);
}

async function runChecks(dataDirOption: string | undefined): Promise<Diagnostics> {
  const agent = await findAgent(dataDirOption);
  if (agent !== null) {
    const address = `running at ${agent.url} (pid ${agent.pid})`;
    const { checks } = await agent.client.agent.diagnostics();
    return { checks: [{ name: 'agent', state: 'ok', detail: address }, ...checks] };
  }
  const { dataDir } = readConfig({ flags: { dataDir: dataDirOption } });
  const absent: DiagnosticCheck = { name: 'agent', state: 'ok', detail: `no agent is running on ${dataDir}` };
  const { storeChecks } = await import('../../agent.ts');
  return { checks: [absent, ...machineChecks(dataDir), ...(await storeChecks(dataDir))] };
}
