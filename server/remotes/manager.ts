// Manages all remotes, one loop each: add, remove, pause, resume, wait until synced, and their status.
import { normalizeReadPath } from '../core/paths/path.ts';
import { withTimeLimit } from '../platform/clock.ts';
import type { RemoteRow } from '../store/port/store.ts';
import { type RemoteServer, RemoteUnauthorizedError } from './client/remote-server.ts';
import { TokenFile, tokenExpiresAtMs, tokenWorkspaceId } from './client/token-file.ts';
import { V1Server } from './client/v1-server.ts';
import { diagnose } from './diagnosis.ts';
import { diagnosisMs, fileBytesMaxDefault, listedProblemsMax, wholeBytesMax } from './limits.ts';
import { RemoteLoop, type RemoteLoopDeps } from './loop/remote-loop.ts';
import { type NewRemote, type RemoteManager, RemoteNotAddedError, type RemoteView } from './port.ts';
import { checkedUrl, checkProviders, checkRules, probe } from './refusals.ts';
import type { RemoteDeps, RemoteKillPoint } from './state/context.ts';
import { createPartFiles, type PartFiles } from './transfer/part-files.ts';

const remoteIdLength = 12;

export interface RemoteManagerDeps
  extends Omit<RemoteDeps, 'offsetMinutes' | 'atKillPoint' | 'fileBytesMax' | 'wholeBytesMax' | 'parts'> {
  readonly dataDir: string;
  readonly fileBytesMax?: number;
  /** false: this server syncs with no other, and `add` refuses. Default: true. */
  readonly keepsFolders?: boolean;
  readonly offsetMinutes?: (atMs: number) => number;
  readonly atKillPoint?: (point: RemoteKillPoint) => void;
  readonly random?: () => number;
  /** Absent: the server over HTTP. */
  readonly serverOf?: (row: RemoteRow) => RemoteServer;
}

export function createRemoteManager(deps: RemoteManagerDeps): RemoteManager {
  return new Remotes(deps);
}

class Remotes implements RemoteManager {
  readonly #deps: RemoteManagerDeps;
  readonly #loops = new Map<string, RemoteLoop>();
  readonly #parts: PartFiles;
  readonly #tokens = new Map<string, TokenFile>();
  readonly #stopping = new AbortController();
  #unsubscribe: (() => void) | null = null;

  constructor(deps: RemoteManagerDeps) {
    this.#deps = deps;
    this.#parts = createPartFiles(deps.dataDir);
  }

  async start(): Promise<void> {
    const { store } = this.#deps;
    this.#unsubscribe = store.onCommit(({ workspaces }) => {
      for (const loop of this.#loops.values()) if (workspaces.has(loop.row.workspaceId)) loop.hint();
    });
    for (const row of await store.remotes.list()) this.#run(row);
  }

  async stop(): Promise<void> {
    this.#unsubscribe?.();
    this.#stopping.abort();
    await Promise.all([...this.#loops.values()].map((loop) => loop.stop()));
    this.#loops.clear();
  }

  async list(workspaceId?: string): Promise<readonly RemoteView[]> {
    return await Promise.all(this.#of(workspaceId).map((loop) => this.#view(loop)));
  }

  async add(workspaceId: string, remote: NewRemote): Promise<RemoteView> {
    const { store, clock, ids, keepsFolders = true } = this.#deps;
    if (!keepsFolders)
      throw new RemoteNotAddedError(
        'a hub syncs with no other server: add the remote on a desktop, with the address of this hub',
      );
    const row: RemoteRow = {
      remoteId: `rem_${ids.text(remoteIdLength)}`,
      workspaceId,
      url: checkedUrl(remote),
      remoteWorkspaceId: remote.remoteWorkspaceId ?? (await this.#workspaceOfToken(remote.tokenFile)),
      tokenFile: remote.tokenFile,
      insecureHttp: remote.insecureHttp,
      rootPath: normalizeReadPath(remote.path ?? '/'),
      ignoreRules: remote.ignoreRules ?? '',
      upBytesPerSecond: remote.upBytesPerSecond ?? null,
      downBytesPerSecond: remote.downBytesPerSecond ?? null,
      paused: false,
      haltedCause: null,
      epoch: await store.maintenance.epoch(),
      serverEpoch: null,
      established: false,
      cursor: null,
      listedAtMs: null,
      lastSyncAtMs: null,
      createdAtMs: clock.nowMs(),
    };
    checkRules(row);
    await checkProviders(store, row);
    await probe(this.#deps, row, this.#serverOf(row), this.#stopping.signal);
    if (!(await store.remotes.insert(row)))
      throw new RemoteNotAddedError(
        'this workspace has a remote already: remove it first, or use another workspace',
      );
    return await this.#view(this.#run(row));
  }

  async remove(workspaceId: string, remoteId: string): Promise<RemoteView | null> {
    const loop = this.#find(workspaceId, remoteId);
    if (loop === null) return null;
    const view = await this.#view(loop);
    await this.#end(loop);
    return view;
  }

  async removeAll(workspaceId: string): Promise<void> {
    for (const loop of this.#of(workspaceId)) await this.#end(loop);
  }

  async pause(workspaceId: string, remoteId: string): Promise<RemoteView | null> {
    return await this.#viewAfter(workspaceId, remoteId, (loop) => loop.pause());
  }

  resume: RemoteManager['resume'] = (workspaceId, remoteId, answer) =>
    this.#viewAfter(workspaceId, remoteId, (loop) => loop.resume(answer));

  settle: RemoteManager['settle'] = async ({ workspaceId, timeoutMs, signal }) => {
    const loops = this.#of(workspaceId);
    const settled = await withTimeLimit(this.#deps.clock, timeoutMs, signal, async (ended) =>
      (await Promise.all(loops.map((loop) => loop.waitUntilSynced(ended)))).every((isSynced) => isSynced),
    );
    return { settled, remotes: await Promise.all(loops.map((loop) => this.#view(loop))) };
  };

  diagnose: RemoteManager['diagnose'] = async () => {
    const { clock } = this.#deps;
    return await Promise.all(
      this.#of(undefined).map(async (loop) => {
        const view = await this.#view(loop);
        const server = this.#serverOf(loop.row);
        return await withTimeLimit(clock, diagnosisMs, this.#stopping.signal, (signal) =>
          diagnose(view, { server, nowMs: clock.nowMs(), signal }),
        );
      }),
    );
  };

  #run(row: RemoteRow): RemoteLoop {
    const { offsetMinutes, atKillPoint, random, fileBytesMax } = this.#deps;
    const deps: RemoteLoopDeps = {
      ...this.#deps,
      offsetMinutes: offsetMinutes ?? ((atMs) => -new Date(atMs).getTimezoneOffset()),
      atKillPoint: atKillPoint ?? (() => undefined),
      random: random ?? Math.random,
      fileBytesMax: fileBytesMax ?? fileBytesMaxDefault,
      wholeBytesMax,
      parts: this.#parts,
      serverOf: (current) => this.#serverOf(current),
      tokenState: async ({ tokenFile }) => (await this.#tokens.get(tokenFile)?.state()) ?? '',
    };
    const loop = new RemoteLoop(deps, row);
    this.#loops.set(row.remoteId, loop);
    loop.start();
    return loop;
  }

  async #workspaceOfToken(tokenFile: string): Promise<string> {
    const token = await this.#tokenFile(tokenFile)
      .read()
      .catch((error: unknown) => {
        if (error instanceof RemoteUnauthorizedError) throw new RemoteNotAddedError(error.message);
        throw error;
      });
    const workspaceId = tokenWorkspaceId(token);
    if (workspaceId !== null) return workspaceId;
    throw new RemoteNotAddedError(
      `the token in ${tokenFile} does not say its workspace: name the workspace of the server (--remote-workspace ID)`,
    );
  }

  #tokenFile(path: string): TokenFile {
    const file = this.#tokens.get(path) ?? new TokenFile(path);
    this.#tokens.set(path, file);
    return file;
  }

  #serverOf(row: RemoteRow): RemoteServer {
    const { serverOf, clock } = this.#deps;
    if (serverOf !== undefined) return serverOf(row);
    const file = this.#tokenFile(row.tokenFile);
    const server = new V1Server({
      url: row.url,
      workspaceId: row.remoteWorkspaceId,
      token: () => file.read(),
      clock,
    });
    server.up.limitTo(row.upBytesPerSecond);
    server.down.limitTo(row.downBytesPerSecond);
    return server;
  }

  async #end(loop: RemoteLoop): Promise<void> {
    const { remoteId } = loop.row;
    this.#loops.delete(remoteId);
    await loop.stop();
    await this.#deps.store.remotes.remove({ remoteId });
    await this.#parts.dropAll(remoteId);
  }

  async #viewAfter(
    workspaceId: string,
    remoteId: string,
    act: (loop: RemoteLoop) => Promise<void>,
  ): Promise<RemoteView | null> {
    const loop = this.#find(workspaceId, remoteId);
    if (loop === null) return null;
    await act(loop);
    return await this.#view(loop);
  }

  async #view(loop: RemoteLoop): Promise<RemoteView> {
    const { row, state, problems, pending, progress, halt } = loop;
    const { remotes } = this.#deps.store;
    const token = await this.#tokens
      .get(row.tokenFile)
      ?.read()
      .catch(() => null);
    const conflicts = await remotes.listConflicts(row.remoteId);
    const failure = 'cause' in state ? state : null;
    return {
      remoteId: row.remoteId,
      workspaceId: row.workspaceId,
      url: row.url,
      remoteWorkspaceId: row.remoteWorkspaceId,
      tokenFile: row.tokenFile,
      insecureHttp: row.insecureHttp,
      path: row.rootPath,
      ignoreRules: row.ignoreRules,
      state: state.kind,
      cause: failure?.cause ?? null,
      files: await remotes.countBase(row.remoteId),
      progress,
      pendingLocal: pending.local,
      pendingRemote: pending.remote,
      conflicts: conflicts.length,
      problems: problems.size,
      problemList: [...problems.list()].slice(0, listedProblemsMax),
      lastSyncAtMs: loop.lastSyncAtMs,
      offlineSinceMs: failure?.sinceMs ?? null,
      nextTryAtMs: failure?.nextTryAtMs ?? null,
      tokenExpiresAtMs: token == null ? null : tokenExpiresAtMs(token),
      server: loop.kind,
      halt: state.kind === 'halted' ? (halt ?? haltOf(row.haltedCause)) : null,
      upBytesPerSecond: row.upBytesPerSecond,
      downBytesPerSecond: row.downBytesPerSecond,
    };
  }

  #of(workspaceId: string | undefined): readonly RemoteLoop[] {
    return [...this.#loops.values()].filter(
      ({ row }) => workspaceId === undefined || row.workspaceId === workspaceId,
    );
  }

  #find(workspaceId: string, remoteId: string): RemoteLoop | null {
    const loop = this.#loops.get(remoteId);
    return loop?.row.workspaceId === workspaceId ? loop : null;
  }
}

/** From its stored form: side, deletions and files. */
function haltOf(cause: string | null): RemoteView['halt'] {
  const [side, deletions, files] = (cause ?? '').split(' ');
  if (side !== 'here' && side !== 'there') return null;
  return { side, deletions: Number(deletions), files: Number(files) };
}
