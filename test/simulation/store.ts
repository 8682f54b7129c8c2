// The real store's statements, handlers and decisions over a database in memory, without its threads: commits and answers are
// tasks of the scheduler, so that a crash can fall before a commit, or between a commit and its answer.

import Database from 'better-sqlite3';
import { sha256Hex } from '../../server/platform/crypto/hashes.ts';
import { createMaintenance } from '../../server/store/adapters/maintenance.ts';
import { readNamed } from '../../server/store/adapters/reads.ts';
import type { SqliteDeps } from '../../server/store/adapters/store-parts.ts';
import { storePort } from '../../server/store/adapters/store-port.ts';
import type { BlobFiles } from '../../server/store/contents/blob-files.ts';
import { inlineBlob } from '../../server/store/contents/inline-content.ts';
import { beginEpoch, readEpoch } from '../../server/store/database/meta.ts';
import { prepareSchema } from '../../server/store/database/new-database.ts';
import { SqliteWriteStatements } from '../../server/store/database/sqlite-statements.ts';
import type { Command, CommandKind, Input, Result } from '../../server/store/port/commands.ts';
import type { Commit, Store } from '../../server/store/port/store.ts';
import { findContent, listFiles } from '../../server/store/tables/files/files.ts';
import { forkFiles } from '../../server/store/tables/forks/reads.ts';
import { createCommandHandlers } from '../../server/store/writer/command-handlers.ts';
import { type CommitGroupDeps, commitGroup, type Outcome } from '../../server/store/writer/group-commit.ts';

/** When commits happen and are answered: in the simulation, by its scheduler. */
export interface StoreTurns {
  readonly wallMs: number;
  readonly random: { below(bound: number): number };
  readonly trace: { add(line: string): void };
  post(lane: string, label: string, run: () => void): void;
}

interface Waiting {
  readonly command: Command;
  readonly isAlive: () => boolean;
  readonly answer: (outcome: Outcome) => void;
}

const filesMax = 10_000;

/** An empty database with its schema: making it took half of the time of a run. */
let template: Buffer | null = null;

function emptyDatabase(): Buffer {
  if (template === null) {
    const first = new Database(':memory:');
    prepareSchema(new SqliteWriteStatements(first));
    template = first.serialize();
    first.close();
  }
  return template;
}

/** One past write by the mirror or by somebody else. */
export interface Written {
  readonly path: string;
  readonly hash: string;
  readonly byMirror: boolean;
}

export class SimStore {
  readonly #scheduler: StoreTurns;
  readonly #database: Database.Database;
  readonly #parts: CommitGroupDeps<SqliteWriteStatements>;
  readonly #listeners = new Set<(commit: Commit) => void>();
  /** What was sent in one turn travels, and is committed, together. */
  readonly #queue: Waiting[][] = [];
  #outgoing: Waiting[] = [];

  /** `saved`: begins with what a store had at that time. */
  constructor(scheduler: StoreTurns, saved: Buffer = emptyDatabase()) {
    this.#scheduler = scheduler;
    this.#database = new Database(saved);
    this.#database.pragma('foreign_keys = ON');
    this.#database.pragma('journal_mode = MEMORY');
    const statements = new SqliteWriteStatements(this.#database);
    beginEpoch(statements);
    this.#parts = createCommandHandlers(statements, 'off', () => false);
  }

  /** What is stored now, for a store that begins with it. */
  saved(): Buffer {
    return this.#database.serialize();
  }

  get statements(): SqliteWriteStatements {
    return this.#parts.statements;
  }

  /** The port as one life of the agent sees it: when that ends, nothing is answered any more. */
  port(isAlive: () => boolean): Store {
    const statements = this.statements;
    const settings = { historyDays: 30, historyRevisionsMin: 20, externalWriteback: 'off' } as const;
    const clock = { nowMs: () => Math.floor(this.#scheduler.wallMs) };
    const parts = {
      options: { dataDir: '', logger: silent, clock, settings },
      databaseFile: '',
      blobs: blobsInMemory as BlobFiles,
      changes: this.#parts.changes,
      read: async (subject: string, name: string, ...input: never[]) =>
        readNamed(subject, name)(statements, ...input),
      send: <Kind extends CommandKind>(name: Kind, input: Input<Kind>) =>
        this.#send({ name, input } as Command, isAlive) as Promise<Result<Kind>>,
      // Nothing that the mirror asks for needs the writer itself.
    } as unknown as SqliteDeps;
    return storePort(parts, createMaintenance(parts), this.#listeners, async () => undefined);
  }

  /** Commits at once, as its own group. */
  commit(command: Command): unknown {
    const { outcomes, touched } = commitGroup(this.#parts, [command]);
    if (touched !== null) this.#tell(touched);
    const outcome = outcomes[0] as Outcome;
    if (!outcome.ok) throw new Error(`${command.name}: ${outcome.message}`);
    return outcome.result;
  }

  /** The process ends: some of what was under way still reaches the disk, in order. */
  crash(): void {
    if (this.#outgoing.length > 0) this.#queue.push(this.#outgoing);
    this.#outgoing = [];
    this.#listeners.clear();
    this.#commitBatches(this.#scheduler.random.below(this.#queue.length + 1));
    this.#queue.length = 0;
  }

  /** Path -> hash of what the workspace, or its fork, holds. */
  files(workspaceId: string, forkId: string | null): ReadonlyMap<string, string> {
    const files =
      forkId === null
        ? listFiles(this.statements, workspaceId, '/', null, filesMax)
        : forkFiles(this.statements, forkId, '/', null);
    return new Map(Array.from(files, ({ path, hash }) => [path, hash]));
  }

  holdsContent(hash: string): boolean {
    return findContent(this.statements, hash) !== null;
  }

  baseHash(path: string): string | null {
    const row = this.statements.get<{ hash: string }>(
      'SELECT lower(hex(hash)) AS hash FROM mirror_base WHERE path = ?',
      path,
    );
    return row?.hash ?? null;
  }

  /** Every revision that brought content to a path, oldest first. */
  written(): readonly Written[] {
    return this.statements
      .all<{ path: string; hash: string; actor_name: string }>(
        'SELECT path, lower(hex(hash)) AS hash, actor_name FROM history WHERE hash IS NOT NULL ORDER BY revision',
      )
      .map((row) => ({ path: row.path, hash: row.hash, byMirror: row.actor_name === 'Folder' }));
  }

  epoch(): string {
    return readEpoch(this.statements);
  }

  close(): void {
    this.statements.close();
  }

  #send(command: Command, isAlive: () => boolean): Promise<unknown> {
    if (!isAlive()) return new Promise(() => undefined);
    return new Promise((resolve, reject) => {
      const answer = (outcome: Outcome) => {
        if (!isAlive()) return;
        if (outcome.ok) resolve(outcome.result);
        else reject(new Error(outcome.message));
      };
      if (this.#outgoing.length === 0) queueMicrotask(() => this.#post());
      this.#outgoing.push({ command, isAlive, answer });
    });
  }

  #post(): void {
    if (this.#outgoing.length === 0) return;
    this.#queue.push(this.#outgoing);
    this.#outgoing = [];
    this.#scheduler.post('store', 'commit', () => {
      this.#commitBatches(1 + this.#scheduler.random.below(Math.max(1, this.#queue.length)));
    });
  }

  #commitBatches(count: number): void {
    const batches = this.#queue.splice(0, count).flat();
    if (batches.length === 0) return;
    const { outcomes, touched } = commitGroup(
      this.#parts,
      batches.map(({ command }) => command),
    );
    this.#scheduler.trace.add(`committed ${batches.map(({ command }) => command.name).join(' ')}`);
    this.#scheduler.post('answers', 'of the store', () => {
      for (const [index, { answer }] of batches.entries()) answer(outcomes[index] as Outcome);
      if (touched !== null) this.#tell(touched);
    });
  }

  #tell(touched: Commit): void {
    for (const listener of this.#listeners) listener(touched);
  }
}

const silent = { warn: () => undefined, error: () => undefined };

/** Everything in the simulation is small enough to lie in the database. */
const blobsInMemory: Pick<BlobFiles, 'stage' | 'stageStream' | 'unstage'> = {
  stage: async (bytes) => inlineBlob(sha256Hex(bytes), bytes),
  async stageStream(source) {
    const pieces: Uint8Array[] = [];
    for await (const piece of source) pieces.push(piece);
    return { content: await blobsInMemory.stage(Buffer.concat(pieces)), isText: true };
  },
  unstage: () => undefined,
};
