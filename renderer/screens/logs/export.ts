// Saves what is filtered as JSON lines, newest first.
import type { MooringClient } from '../../../sdk/index.ts';
import type { logQuery } from '../../model/diagnosis/log-view.ts';
import { saveAs } from '../../parts/buttons/save-as.ts';

/** Entries of an export; the log has fewer than these in its two files, unless they are very short. */
const entriesMax = 100_000;
const pageEntries = 500;

/** Resolves with the number of saved entries and the name of the file. */
export async function exportLog(
  client: MooringClient,
  query: ReturnType<typeof logQuery>,
  signal: AbortSignal,
): Promise<{ readonly count: number; readonly name: string }> {
  const lines: string[] = [];
  for await (const entry of client.agent.allLogs({ ...query, limit: pageEntries, signal })) {
    lines.push(`${JSON.stringify(entry)}\n`);
    if (lines.length === entriesMax) break;
  }
  const name = `mooring-log-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.jsonl`;
  saveAs(new Blob(lines, { type: 'application/x-ndjson' }), name);
  return { count: lines.length, name };
}
