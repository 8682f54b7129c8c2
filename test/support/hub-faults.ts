// Faults of the kind that engines on PostgreSQL have: each replaces a text of one source file before Node runs it, in the main thread and
// in the threads of the store. Loaded with --import in front of hub-rules-process.ts, with the name of the fault in its environment.
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

export interface HubFault {
  readonly name: string;
  /** A rule of hub-rules-process.ts. */
  readonly caughtBy: string;
  /** Below server/. */
  readonly file: string;
  readonly edits: readonly (readonly [text: string, replacement: string])[];
}

const writer = 'store/postgres/write-statements.ts';

export const hubFaults: readonly HubFault[] = [
  {
    // An aborted transaction refuses the mark of the commit, too.
    name: 'neither the tag of COMMIT nor the mark is checked',
    caughtBy: 'a transaction that was rolled back is no commit',
    file: writer,
    edits: [
      ["if (tag !== 'COMMIT')", "if (tag === '')"],
      ["this.run('INSERT INTO commits (id, at) VALUES (?, ?)', id, this.#nowMs());", 'this.#nowMs();'],
    ],
  },
  {
    name: 'the lock is taken after the rows were loaded',
    caughtBy: 'processes have one order',
    file: writer,
    edits: [
      ['const [counters] = this.#load', 'this.#load'],
      ['[this.statement(lockWriters, [])]', '[this.statement(selectCounters, [])]'],
      ['rowsOf(counters);', 'rowsOf(super.flush([this.statement(lockWriters, [])])[0]);'],
    ],
  },
  {
    name: 'rows are locked in no order',
    caughtBy: 'processes do not wait for each other in a circle',
    file: writer,
    edits: [
      ["ORDER BY name = 'revision' DESC, name FOR NO KEY UPDATE", 'ORDER BY random() FOR NO KEY UPDATE'],
    ],
  },
  {
    name: 'the newest event that this process has heard of is the newest one',
    caughtBy: 'a cursor of another process is known',
    file: 'workspaces/event-feed.ts',
    edits: [
      ['return Math.max(last, reportedOf(workspaceId));', 'return last * 0 + reportedOf(workspaceId);'],
    ],
  },
  {
    name: 'a process that starts releases the leases of all',
    caughtBy: 'leases belong to their process',
    file: 'store/tables/outbound/attempts.ts',
    edits: [["WHERE status = 2 AND lease_owner = ?'", "WHERE status = 2 AND (lease_owner = ? OR 1 = 1)'"]],
  },
  {
    name: 'the mark of a commit is not looked up',
    caughtBy: 'what was committed is not run again',
    file: writer,
    edits: [['return found !== undefined;', 'return false;']],
  },
];

/** For a fault that does not name what it replaces: the source has changed. */
export function withFault({ edits, file }: HubFault, source: string): string {
  return edits.reduce((edited, [text, replacement]) => {
    const parts = edited.split(text);
    if (parts.length !== 2) throw new Error(`${file} has this text ${parts.length - 1} times: ${text}`);
    return parts.join(replacement);
  }, source);
}

const planted = hubFaults.find(({ name }) => name === process.env.MOORING_TEST_FAULT);
if (planted !== undefined) {
  const place = new URL(`../../server/${planted.file}`, import.meta.url);
  registerHooks({
    load(url, context, nextLoad) {
      if (url !== place.href) return nextLoad(url, context);
      const source = withFault(planted, readFileSync(place, 'utf8'));
      return { format: 'module-typescript', source, shortCircuit: true };
    },
  });
}
