// Keeps the last log lines of the agent in memory and writes a crash report when it exits unexpectedly. The log contains
// neither tokens nor file contents, so neither does the report.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { AgentCrash } from './agent-host.ts';
import type { CrashReport } from './ipc-contract.ts';

const linesMax = 200;
const lineCharactersMax = 2_000;
const reportsMax = 10;
const reportName = /^agent-crash-[\dTZ-]+\.txt$/;

/** The last lines of a stream of text. */
export class LastLines {
  #lines: string[] = [];
  #lastLine = '';

  append(text: string): void {
    const [first = '', ...rest] = text.split('\n');
    this.#lastLine = (this.#lastLine + first).slice(0, lineCharactersMax);
    for (const line of rest) {
      this.#lines = [...this.#lines, this.#lastLine].slice(-linesMax);
      this.#lastLine = line.slice(0, lineCharactersMax);
    }
  }

  get lines(): readonly string[] {
    return this.#lastLine === '' ? this.#lines : [...this.#lines, this.#lastLine];
  }
}

/** Writes the report and deletes old ones. A full disk must not prevent a restart of the agent. */
export function reportCrash(
  crash: AgentCrash,
  lastLines: readonly string[],
  folder: string,
  about: { readonly nowMs: number; readonly version: string; readonly system: string },
): CrashReport {
  const at = new Date(about.nowMs).toISOString();
  const report = { reason: crash.reason, at, failures: crash.failures, lastLines };
  const file = path.join(folder, `agent-crash-${at.replaceAll(/[:.]/g, '-')}.txt`);
  const text = [
    `Mooring ${about.version} on ${about.system}`,
    `The agent exited at ${at}: ${crash.reason}`,
    `Consecutive exits: ${crash.failures}`,
    '',
    ...lastLines,
    '',
  ];
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, text.join('\n'), { mode: 0o600 });
    const reports = readdirSync(folder).filter((name) => reportName.test(name));
    for (const old of reports.sort().slice(0, -reportsMax)) rmSync(path.join(folder, old), { force: true });
    return { ...report, file };
  } catch (error) {
    console.error('the crash report could not be written:', error);
    return { ...report, file: null };
  }
}
