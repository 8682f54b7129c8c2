// Reads of workspace content: files, history, trees, the event feed, files as forks show them, and runs.

import { yieldToEventLoop } from '../../platform/event-loop.ts';
import { readCounter } from '../database/counters.ts';
import type { ReadStatements } from '../database/statements.ts';
import type { ContentReader, EventReader, ForkReader, RunStore } from '../port/store.ts';
import { eventPositionAt, eventRange, eventsAfter, listEvents } from '../tables/feed/read-events.ts';
import {
  allowEach,
  findContent,
  findText,
  getChecked,
  getCheckedText,
  getEntry,
  getOpen,
  listFiles,
} from '../tables/files/files.ts';
import {
  findRevision,
  findRevisionAt,
  isKnownContent,
  readHistory,
  readHistoryPage,
} from '../tables/files/history.ts';
import { queryFiles } from '../tables/files/query.ts';
import { readTree } from '../tables/files/tree.ts';
import { readTreeAt } from '../tables/files/tree-at.ts';
import { listStaged } from '../tables/forks/commit.ts';
import { getCheckedInFork, queryFork, readForkTree } from '../tables/forks/reads.ts';
import { findFork, listForks } from '../tables/forks/rows.ts';
import { visibleCounts } from '../tables/forks/visible-counts.ts';
import { findRun, findRunOfFork, listRuns } from '../tables/runs/runs.ts';
import type { StoreDeps } from '../writer/store-parts.ts';
import { readers, senders } from './port-methods.ts';
import { openSnapshot } from './snapshot.ts';

/** Paths per slice, between two of which other requests run: some 5 ms. */
const pathsPerSlice = 250;

export function contentReader(deps: StoreDeps): ContentReader {
  const { read, blobs, databaseFile } = deps;
  return {
    ...readers(deps, 'files', {
      get: getEntry,
      getOpen,
      getChecked,
      getCheckedText,
      tree: readTree,
      query: queryFiles,
      list: listFiles,
      history: readHistory,
      historyPage: readHistoryPage,
      revision: findRevision,
      revisionAt: findRevisionAt,
      treeAt: readTreeAt,
      isKnownContent,
    }),
    ...contentByHash(deps),
    async allowEach(workspaceId, paths, access) {
      const allowed: boolean[] = [];
      for (let from = 0; from < paths.length; from += pathsPerSlice) {
        if (from > 0) await yieldToEventLoop();
        const some = paths.slice(from, from + pathsPerSlice);
        const decide = (statements: ReadStatements) => allowEach(statements, workspaceId, some, access);
        allowed.push(...(await read('files.allowEach', decide)));
      }
      return allowed;
    },
    // One counter numbers the revisions of all workspaces.
    lastRevision: (_workspaceId) =>
      read('files.lastRevision', (statements) => readCounter(statements, 'revision')),
    historyCompleteSinceMs: () =>
      read('files.historyCompleteSince', (statements) => readCounter(statements, 'history_floor')),
    snapshot: () => read('files.snapshot', () => openSnapshot(databaseFile, blobs)),
  };
}

function contentByHash({ read, blobs }: StoreDeps): Pick<ContentReader, 'read' | 'readText' | 'open'> {
  const find = (hash: string) => read('files.content', (statements) => findContent(statements, hash));
  return {
    async read(hash) {
      const content = await find(hash);
      return content === null ? null : (content.bytes ?? (await blobs.read(hash)));
    },
    async readText(hash) {
      const found = await read('files.text', (statements) => findText(statements, hash));
      if (found === null) return null;
      return found.isFile ? (await blobs.read(hash)).toString('utf8') : found.text;
    },
    async open(hash, range) {
      const content = await find(hash);
      if (content === null) return null;
      if (content.bytes === null) return await blobs.open(hash, range);
      return {
        sizeBytes: content.sizeBytes,
        stream: streamOf(content.bytes.subarray(range?.start, range?.end)),
      };
    },
  };
}

export function eventReader(deps: StoreDeps): EventReader {
  return readers(deps, 'events', {
    list: listEvents,
    after: eventsAfter,
    positionAt: eventPositionAt,
    range: eventRange,
  });
}

export function forkReader(deps: StoreDeps): ForkReader {
  return readers(deps, 'forks', {
    find: findFork,
    list: listForks,
    counts: visibleCounts,
    staged: listStaged,
    getChecked: getCheckedInFork,
    tree: readForkTree,
    query: queryFork,
  });
}

export function runStore(deps: StoreDeps): RunStore {
  return {
    ...readers(deps, 'runs', { find: findRun, findOfFork: findRunOfFork, list: listRuns }),
    ...senders(deps, { create: 'create_run' }),
  };
}

function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull(controller) {
      if (bytes.length > 0) controller.enqueue(bytes);
      controller.close();
    },
  });
}
