// Checks, measures and copies a database, read-only. Each job runs in a thread of its own, so that neither a request nor a commit
// waits for it.
import { parentPort, workerData } from 'node:worker_threads';
import { listBlobFiles } from '../database/meta.ts';
import { isSqliteError, openForReading } from '../database/sqlite.ts';
import type { SqliteReadStatements } from '../database/sqlite-statements.ts';
import { type HistoryLimit, type HistorySize, measureHistory } from '../tables/retention/history-size.ts';
import type { NamedFile } from './corruption.ts';
import { checkDatabase, checkNamedContents, type Finding } from './integrity.ts';

export type Job =
  | { readonly kind: 'check'; readonly databaseFile: string }
  /** Only what says which contents are named. */
  | { readonly kind: 'check-contents'; readonly databaseFile: string }
  | {
      readonly kind: 'measure-history';
      readonly databaseFile: string;
      readonly limit: HistoryLimit;
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
    // So corrupt that it cannot be queried, or a table is missing; or the disk refuses the copy.
    if (!isSqliteError(error)) throw error;
    return { findings: [job.kind.startsWith('check') ? `database: ${error.message}` : error.message] };
  }
}

function runOn(job: Job): JobResult {
  const statements = openForReading(job.databaseFile);
  try {
    if (job.kind === 'check') return check(statements);
    if (job.kind === 'check-contents') return { findings: checkNamedContents(statements) };
    if (job.kind === 'measure-history')
      return { findings: [], history: measureHistory(statements, job.limit) };
    statements.copyInto(job.target);
    return { findings: [] };
  } finally {
    statements.close();
  }
}

function check(statements: SqliteReadStatements): JobResult {
  return statements.consistently(() => ({
    findings: checkDatabase(statements),
    files: listBlobFiles(statements),
  }));
}

if (parentPort === null) throw new Error('jobs run only in a worker thread');
parentPort.postMessage(run(workerData as Job));
