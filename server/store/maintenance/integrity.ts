// Is the database whole? Asks SQLite, then whether the tables agree with one another. Reads only.
import { sha256Hex } from '../../platform/crypto/hashes.ts';
import { endOfSubtree, startOfSubtree } from '../database/rows.ts';
import type { SqliteReadStatements } from '../database/sqlite-statements.ts';

/** One thing that is wrong, in words, without contents. */
export type Finding = string;

const findingsMax = 100;

export function checkDatabase(statements: SqliteReadStatements): readonly Finding[] {
  return statements.consistently(() => {
    const findings: Finding[] = [];
    const add = (found: readonly string[]) => findings.push(...found.slice(0, findingsMax - findings.length));
    // https://sqlite.org/pragma.html#pragma_integrity_check
    add(
      statements
        .all<{ integrity_check: string }>(`PRAGMA integrity_check(${findingsMax})`)
        .map((row) => row.integrity_check)
        .filter((line) => line !== 'ok')
        .map((line) => `database: ${line}`),
    );
    add(
      statements
        .all<{ table: string }>('PRAGMA foreign_key_check')
        .map((row) => `a row of ${row.table} refers to nothing`),
    );
    add(checkContents(statements));
    add(checkInlineContents(statements));
    add(checkHistory(statements));
    add(checkDirectories(statements));
    add(checkIngest(statements));
    add(checkForks(statements));
    return findings;
  });
}

/** Whether the tables that say which contents are named are whole, with their indexes. */
export function checkNamedContents(statements: SqliteReadStatements): readonly Finding[] {
  return statements.consistently(() => [
    // https://sqlite.org/pragma.html#pragma_integrity_check, "integrity_check(TABLENAME)".
    ...['blobs', 'history']
      .flatMap((table) => statements.all<{ integrity_check: string }>(`PRAGMA integrity_check(${table})`))
      .map((row) => row.integrity_check)
      .filter((line) => line !== 'ok')
      .map((line) => `database: ${line}`),
    ...checkContents(statements),
    ...checkNamed(statements),
  ]);
}

function checkContents(statements: SqliteReadStatements): readonly Finding[] {
  return statements
    .all<{ hash: string; refs: number; found: number }>(
      `SELECT lower(hex(blobs.hash)) AS hash, refs, coalesce(named.found, 0) AS found FROM blobs
         LEFT JOIN (SELECT hash, count(*) AS found FROM history WHERE hash IS NOT NULL GROUP BY hash) AS named
           ON named.hash = blobs.hash
         WHERE refs <> coalesce(named.found, 0) LIMIT ${findingsMax}`,
    )
    .map(({ hash, refs, found }) => `content ${hash} counts ${refs} revisions and ${found} name it`);
}

/** SQLite keeps no checksums of what it stores; a content's name is one. Contents in files are checked when they are read. */
function checkInlineContents(statements: SqliteReadStatements): readonly Finding[] {
  const findings: Finding[] = [];
  const contents = statements.iterate<{ hash: string; bytes: Buffer }>(
    'SELECT lower(hex(hash)) AS hash, bytes FROM blobs WHERE bytes IS NOT NULL',
  );
  for (const { hash, bytes } of contents) {
    if (sha256Hex(bytes) === hash) continue;
    findings.push(`the content ${hash} is corrupted`);
    if (findings.length === findingsMax) break;
  }
  return findings;
}

function checkNamed(statements: SqliteReadStatements): readonly Finding[] {
  const missing = statements.all<{ path: string; revision: number }>(
    `SELECT path, revision FROM history WHERE hash IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM blobs WHERE blobs.hash = history.hash) LIMIT ${findingsMax}`,
  );
  return missing.map(({ path, revision }) => `the content of ${path} at rev_${revision} is missing`);
}

function checkHistory(statements: SqliteReadStatements): readonly Finding[] {
  const unrecorded = statements.all<{ path: string }>(
    `SELECT path FROM entries WHERE files IS NULL AND NOT EXISTS (SELECT 1 FROM history
       WHERE history.workspace = entries.workspace AND history.path = entries.path
         AND history.revision = entries.revision AND history.hash = entries.hash) LIMIT ${findingsMax}`,
  );
  return [
    ...checkNamed(statements),
    ...unrecorded.map(({ path }) => `the present state of ${path} is not in its history`),
  ];
}

function checkDirectories(statements: SqliteReadStatements): readonly Finding[] {
  const findings: Finding[] = [];
  const directories = statements.all<{ workspace: number; path: string; files: number }>(
    'SELECT workspace, path, files FROM entries WHERE files IS NOT NULL',
  );
  for (const { workspace, path, files } of directories) {
    const found = statements.get<{ found: number }>(
      'SELECT count(*) AS found FROM entries WHERE workspace = ? AND path > ? AND path < ? AND files IS NULL',
      workspace,
      startOfSubtree(path),
      endOfSubtree(path),
    );
    if (found?.found === files) continue;
    findings.push(`the directory ${path} counts ${files} files and holds ${found?.found ?? 0}`);
    if (findings.length === findingsMax) break;
  }
  return findings;
}

/** Counters that change with each envelope must say what the envelopes say. */
function checkIngest(statements: SqliteReadStatements): readonly Finding[] {
  const queue = statements.get<{ pending: number; bytes: number; found: number; size: number }>(
    `SELECT pending, bytes, count(envelopes.number) AS found, coalesce(sum(size), 0) AS size
       FROM envelope_queue LEFT JOIN envelopes ON state = 1`,
  );
  const wrong = statements.all<{ provider: string }>(
    `SELECT provider FROM ingress
       WHERE accepted <> applied + ignored + suppressed + stale + coalesced + acknowledged + pending + dead
         OR pending <> (SELECT count(*) FROM envelopes WHERE envelopes.workspace = ingress.workspace
              AND envelopes.provider = ingress.provider AND state = 1)
         OR dead <> (SELECT count(*) FROM envelopes WHERE envelopes.workspace = ingress.workspace
              AND envelopes.provider = ingress.provider AND state = 2) LIMIT ${findingsMax}`,
  );
  return [
    ...(queue === undefined || (queue.pending === queue.found && queue.bytes === queue.size)
      ? []
      : [`the queue counts ${queue.pending} envelopes and holds ${queue.found}`]),
    ...wrong.map(({ provider }) => `the counters of what came in from ${provider} do not add up`),
  ];
}

/** What a fork says it has staged must be there, and nothing else: its files lie under its number, negative. */
function checkForks(statements: SqliteReadStatements): readonly Finding[] {
  const missing = statements.all<{ fork_id: string; path: string }>(
    `SELECT fork_id, path FROM fork_paths JOIN forks ON forks.number = fork
       WHERE kind = 1 AND emptied_at IS NULL AND NOT EXISTS (SELECT 1 FROM entries
         WHERE entries.workspace = -fork AND entries.path = fork_paths.path AND files IS NULL) LIMIT ${findingsMax}`,
  );
  // Upkeep takes apart what has ended, a part at a time.
  const unnamed = statements.all<{ path: string; workspace: number }>(
    `SELECT path, entries.workspace AS workspace FROM entries LEFT JOIN forks ON forks.number = -entries.workspace
       WHERE entries.workspace < 0 AND files IS NULL AND emptied_at IS NULL
       AND NOT EXISTS (SELECT 1 FROM fork_paths WHERE fork = -entries.workspace AND fork_paths.path = entries.path AND kind = 1)
       LIMIT ${findingsMax}`,
  );
  return [
    ...missing.map(({ fork_id, path }) => `the fork ${fork_id} has no file at ${path}, which it has staged`),
    ...unnamed.map(
      ({ path, workspace }) => `${path} lies under the fork ${-workspace}, which has not staged it`,
    ),
  ];
}
