// Long work on a database that only reads it: checks and copies. Each runs in a thread of its own, so that neither a
// request nor a commit waits for it.
import { parentPort, workerData } from 'node:worker_threads';
import { checkDatabase, type Finding } from './integrity.ts';
import { openForReading, Statements } from './sqlite.ts';

export type Job =
  | { readonly kind: 'check'; readonly databaseFile: string }
  /** `target` must not exist. https://sqlite.org/lang_vacuum.html: one read transaction, so one consistent state. */
  | { readonly kind: 'copy'; readonly databaseFile: string; readonly target: string };

export interface JobResult {
  readonly findings: readonly Finding[];
}

function run(job: Job): JobResult {
  const database = openForReading(job.databaseFile);
  try {
    if (job.kind === 'check') return { findings: checkDatabase(new Statements(database)) };
    database.pragma('query_only = OFF');
    database.prepare('VACUUM INTO ?').run(job.target);
    return { findings: [] };
  } finally {
    database.close();
  }
}

if (parentPort === null) throw new Error('jobs run only in a worker thread');
parentPort.postMessage(run(workerData as Job));
