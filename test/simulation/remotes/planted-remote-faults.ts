// Faults of the kind that sync engines have, planted in what the loop of a remote stands on. Each must be caught by the simulation, or
// the simulation proves nothing about that rule.
import type { Clock } from '../../../server/platform/clock.ts';
import {
  type RemoteServer,
  RemoteUnavailableError,
  type RemoteWrite,
  type RemoteWritten,
} from '../../../server/remotes/client/remote-server.ts';
import {
  DeletionGuard,
  type DeletionSide,
  type Halt,
  type PendingDeletions,
} from '../../../server/remotes/loop/deletion-guard.ts';
import type { PlantedRemoteFault } from './replica.ts';

/** Caught by the workspaces that are emptied; the random runs have too few files for a halt. */
export const plantedGuardFaults: readonly Omit<PlantedRemoteFault, 'caughtBySeed'>[] = [
  {
    name: 'many deletions halt a remote only where they would be done here',
    guard: (clock) => new OneSidedGuard(clock, 'there'),
  },
  {
    name: 'many deletions halt a remote only where they would be done there',
    guard: (clock) => new OneSidedGuard(clock, 'here'),
  },
];

export const plantedRemoteFaults: readonly PlantedRemoteFault[] = [
  {
    name: 'what was sent is forgotten after a crash, and is sent again as something new',
    caughtBySeed: 212,
    store: (store) => ({ ...store, remotes: { ...store.remotes, listSent: async () => [] } }),
    server: (server) =>
      changed(server, { write: (writes, signal) => server.write(writes.map(unique), signal) }),
  },
  {
    name: 'what is created again after a deletion has the identity of the first time',
    caughtBySeed: 166,
    server: (server) =>
      changed(server, {
        write: (writes, signal) => server.write(writes.map(byContent), signal),
      }),
  },
  {
    name: 'the base is recorded in a transaction before that of the change',
    caughtBySeed: 145,
    store: (store) => ({
      ...store,
      content: {
        ...store.content,
        change: async (command) => {
          const { remoteAgreement, ...change } = command;
          if (remoteAgreement === undefined) return await store.content.change(command);
          const { remoteId, steps } = remoteAgreement;
          await store.remotes.saveBase({
            remoteId,
            upserts: steps.flatMap(({ file }) => (file === null ? [] : [{ ...file, revision: 0 }])),
            removals: steps.flatMap(({ gone }) => gone ?? []),
            answered: [],
          });
          return await store.content.change(change);
        },
      },
    }),
  },
  {
    name: 'an event is skipped as if it had been taken',
    caughtBySeed: 20,
    server: (server) => {
      let events = 0;
      return changed(server, {
        watch: (cursor, listener, signal) =>
          server.watch(
            cursor,
            {
              onGap: () => listener.onGap(),
              onEnd: (error) => listener.onEnd(error),
              onEvent: (event) => {
                events += 1;
                if (events % 5 !== 0) listener.onEvent(event);
              },
            },
            signal,
          ),
        // The feed itself would bring it when somebody waits for the sync.
        events: async (cursor) => ({ events: [], cursor, more: false, gap: false }),
      });
    },
  },
  {
    name: 'a read that fails without a connection is taken for a deletion',
    caughtBySeed: 50,
    server: (server) =>
      changed(server, {
        read: async (files, signal, contentBytesMax) => {
          try {
            return await server.read(files, signal, contentBytesMax);
          } catch (error) {
            if (!(error instanceof RemoteUnavailableError)) throw error;
            return files.map(() => ({ kind: 'missing' }));
          }
        },
      }),
  },
  {
    name: 'a file is written whatever the server has',
    caughtBySeed: 1,
    server: (server) =>
      changed(server, {
        write: async (writes, signal) => {
          const results = [...(await server.write(writes, signal))];
          for (const [index, result] of results.entries()) {
            const write = writes[index];
            if (result.kind === 'conflict' && write !== undefined)
              results[index] = await overwrite(server, write, signal);
          }
          return results;
        },
      }),
  },
  {
    name: 'a file is deleted whatever the server has',
    caughtBySeed: 10,
    server: (server) =>
      changed(server, {
        remove: async (path, _expected, signal) => {
          const [read] = await server.read([{ path, metadata: 'unknown' }], signal);
          if (read?.kind !== 'file') return { kind: 'written', revision: '' };
          return await server.remove(path, read.version.revision, signal);
        },
      }),
  },
  {
    name: 'a server that was set back is taken for the same one',
    caughtBySeed: 9,
    server: (server) =>
      changed(server, {
        eventAt: async (cursor) => ({ cursor, type: '', path: '/', revision: '', hash: null }),
        revisionBefore: async () => Number.MAX_SAFE_INTEGER,
        tip: async (signal) => {
          const event = await server.tip(signal);
          return event === null ? null : { ...event, revision: '' };
        },
      }),
  },
  {
    name: 'a list that breaks off is taken for the whole',
    caughtBySeed: 1,
    server: (server) =>
      changed(server, {
        async *list(directory, signal) {
          for await (const page of server.list(directory, signal)) {
            yield page;
            return;
          }
        },
        read: async (files, signal, contentBytesMax) => {
          const reads = await server.read(files, signal, contentBytesMax);
          // What the list did not name is not asked for.
          return files.every(({ metadata }) => metadata === 'none')
            ? files.map(() => ({ kind: 'missing' }))
            : reads;
        },
      }),
  },
];

class OneSidedGuard extends DeletionGuard {
  readonly #unguarded: DeletionSide;

  constructor(clock: Pick<Clock, 'monotonicMs'>, unguarded: DeletionSide) {
    super(clock);
    this.#unguarded = unguarded;
  }

  override check(pending: PendingDeletions, files: number): Halt | null {
    return super.check({ ...pending, [this.#unguarded]: [] }, files);
  }
}

function changed(server: RemoteServer, parts: Partial<RemoteServer>): RemoteServer {
  return {
    clockOffsetMs: server.clockOffsetMs,
    get epoch() {
      return server.epoch;
    },
    identify: (signal) => server.identify(signal),
    tip: (signal) => server.tip(signal),
    eventAt: (cursor, signal) => server.eventAt(cursor, signal),
    revisionBefore: (cursor, signal) => server.revisionBefore(cursor, signal),
    list: (directory, signal) => server.list(directory, signal),
    events: (cursor, signal) => server.events(cursor, signal),
    watch: (cursor, listener, signal) => server.watch(cursor, listener, signal),
    read: (files, signal, contentBytesMax) => server.read(files, signal, contentBytesMax),
    readPieces: (version, start, signal) => server.readPieces(version, start, signal),
    writeLarge: (write, signal) => server.writeLarge(write, signal),
    write: (writes, signal) => server.write(writes, signal),
    remove: (path, expected, signal) => server.remove(path, expected, signal),
    ...parts,
  };
}

let identities = 0;

function unique(write: RemoteWrite): RemoteWrite {
  identities += 1;
  return { ...write, identity: `${write.identity} ${identities}` };
}

function byContent(write: RemoteWrite): RemoteWrite {
  const { path, bytes, expected } = write;
  return { ...write, identity: `${path} ${Buffer.from(bytes).toString('hex')} ${expected}` };
}

async function overwrite(
  server: RemoteServer,
  write: RemoteWrite,
  signal: AbortSignal,
): Promise<RemoteWritten> {
  const [read] = await server.read([{ path: write.path, metadata: 'unknown' }], signal);
  const expected = read?.kind === 'file' ? read.version.revision : '';
  const [result] = await server.write([{ ...write, expected, identity: `${write.identity} over` }], signal);
  return result ?? { kind: 'conflict' };
}
