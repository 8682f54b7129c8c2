// Long work on a database that only reads it: checks and copies. Each runs in a thread of its own, so that neither a
// request nor a commit waits for it.
import { parentPort, workerData } from 'node:worker_threads';
import type { NamedFile } from './damage.ts';
import { type HistorySize, measureHistory } from './history-size.ts';
import { checkDatabase, type Finding } from './integrity.ts';
import { listBlobFiles } from './meta.ts';
import { isStorageFault, openForReading, Statements } from './sqlite.ts';

export type Job =
  | { readonly kind: 'check'; readonly databaseFile: string }
  | {
      readonly kind: 'measure-history';
      readonly databaseFile: string;
      readonly limit: Parameters<typeof measureHistory>[1];
    }
  /** `target` must not exist. https://sqlite.org/lang_vacuum.html: one read transaction, so one consistent state. */
  | { readonly kind: 'copy'; readonly databaseFile: string; readonly target: string };

export interface JobResult {
  /** What is wrong with the database, or why it could not be read or copied. */
  readonly findings: readonly Finding[];
  readonly history?: HistorySize;
  /** Of a check: the contents that lie in files of their own. */
  readonly files?: readonly NamedFile[];
}

function run(job: Job): JobResult {
  try {
    return runOn(job);
  } catch (error) {
    // So damaged that it cannot even be asked; or the disk takes no copy.
    if (!isStorageFault(error)) throw error;
    const { message } = error as Error;
    return { findings: [job.kind === 'check' ? `database: ${message}` : message] };
  }
}

function runOn(job: Job): JobResult {
  const database = openForReading(job.databaseFile);
  try {
    if (job.kind === 'check') return check(new Statements(database));
    if (job.kind === 'measure-history')
      return { findings: [], history: measureHistory(new Statements(database), job.limit) };
    database.pragma('query_only = OFF');
    database.prepare('VACUUM INTO ?').run(job.target);
    return { findings: [] };
  } finally {
    database.close();
  }
}

function check(statements: Statements): JobResult {
  return statements.consistently(() => ({
    findings: checkDatabase(statements),
    files: listBlobFiles(statements),
  }));
}

if (parentPort === null) throw new Error('jobs run only in a worker thread');
parentPort.postMessage(run(workerData as Job));
