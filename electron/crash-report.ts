// What the agent said last, kept in memory, and a report on the disk when it ends without being asked to. The agent's
// log holds neither tokens nor contents, so the report holds none.
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { AgentCrash } from './agent-host.ts';
import type { CrashReport } from './ipc-contract.ts';

const linesMax = 200;
const lineCharactersMax = 2_000;
const reportsKept = 10;
const reportName = /^agent-crash-[\dTZ-]+\.txt$/;

/** The last lines of a stream of text. */
export class LastLines {
  #lines: string[] = [];
  #open = '';

  take(text: string): void {
    const [first = '', ...rest] = text.split('\n');
    this.#open = (this.#open + first).slice(0, lineCharactersMax);
    for (const line of rest) {
      this.#lines = [...this.#lines, this.#open].slice(-linesMax);
      this.#open = line.slice(0, lineCharactersMax);
    }
  }

  get lines(): readonly string[] {
    return this.#open === '' ? this.#lines : [...this.#lines, this.#open];
  }
}

/** Writes the report, and lets go of old ones. A disk that is full must not keep the agent from being started again. */
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
    `The agent ended at ${at}: ${crash.reason}`,
    `Ends in a row: ${crash.failures}`,
    '',
    ...lastLines,
    '',
  ];
  try {
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, text.join('\n'), { mode: 0o600 });
    const reports = readdirSync(folder).filter((name) => reportName.test(name));
    for (const old of reports.sort().slice(0, -reportsKept)) rmSync(path.join(folder, old), { force: true });
    return { ...report, file };
  } catch (error) {
    console.error('the crash report could not be written:', error);
    return { ...report, file: null };
  }
}
