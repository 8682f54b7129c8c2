// Reads of workspace content: files, history, trees, the event feed, files as forks show them, and runs.

import { yieldToEventLoop } from '../../platform/event-loop.ts';
import type { ContentReader, EventReader, ForkReader, RunStore } from '../port/store.ts';
import { readers, senders } from './port-methods.ts';
import type { StoreDeps } from './store-parts.ts';

/** Paths per slice, between two of which other requests run: some 5 ms. */
const pathsPerSlice = 250;

export function contentReader(deps: StoreDeps): ContentReader {
  const { read } = deps;
  return {
    ...readers(deps, 'files'),
    ...contentByHash(deps),
    async allowEach(workspaceId, paths, access) {
      const allowed: boolean[] = [];
      for (let from = 0; from < paths.length; from += pathsPerSlice) {
        if (from > 0) await yieldToEventLoop();
        const some = paths.slice(from, from + pathsPerSlice);
        allowed.push(...(await read('files', 'allowEach', workspaceId, some, access)));
      }
      return allowed;
    },
    // One counter numbers the revisions of all workspaces.
    lastRevision: (_workspaceId) => read('files', 'lastRevision'),
    historyCompleteSinceMs: () => read('files', 'historyCompleteSinceMs'),
    snapshot: () => deps.openSnapshot(),
  };
}

function contentByHash({ read, blobs }: StoreDeps): Pick<ContentReader, 'read' | 'readText' | 'open'> {
  const find = (hash: string) => read('files', 'content', hash);
  return {
    async read(hash) {
      const content = await find(hash);
      return content === null ? null : bufferOf(content.bytes ?? (await blobs.read(hash)));
    },
    async readText(hash) {
      const found = await read('files', 'text', hash);
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
  return readers(deps, 'events');
}

export function forkReader(deps: StoreDeps): ForkReader {
  return readers(deps, 'forks');
}

export function runStore(deps: StoreDeps): RunStore {
  return {
    ...readers(deps, 'runs'),
    ...senders(deps, { create: 'create_run' }),
  };
}

/** Bytes that came from another thread are no Buffer any more. */
function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function streamOf(bytes: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    pull(controller) {
      if (bytes.length > 0) controller.enqueue(bytes);
      controller.close();
    },
  });
}
