// Keeps `.mooring/README.md` and `.mooring/state.json` in every mirrored folder current: replaced at most once a second, and only when
// what they say has changed.
import type { FolderNote, MirroredFolder, MirrorManager } from '../mirror/manager/port.ts';
import type { Clock } from '../platform/clock.ts';
import type { Logger } from '../platform/observe/logger.ts';
import type { CommitFeed } from '../store/port/store.ts';
import type { IngestStore, RunStore, WorkspaceStore, WritebackStore } from '../store/port/subjects.ts';
import type { FolderFacts, FolderState } from './folder-state.ts';
import { folderStateOf } from './folder-state.ts';
import { deadLettersReadMax, lastNotesWithinMs, noteEveryMs, refreshEveryMs } from './limits.ts';
import { readmeText } from './readme-text.ts';

export interface FolderNotesDeps {
  readonly mirrors: Pick<MirrorManager, 'folders'>;
  readonly store: CommitFeed & {
    readonly ingest: Pick<IngestStore, 'deadLetters'>;
    readonly runs: Pick<RunStore, 'findOfFork'>;
    readonly workspaces: Pick<WorkspaceStore, 'get'>;
    readonly writebacks: Pick<WritebackStore, 'counts'>;
  };
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The notes of one folder. */
interface Note {
  isDue: boolean;
  running: Promise<void> | null;
  /** Without the time of the last change. */
  written: string;
  /** The error that was logged last; it is logged again only after a success. */
  loggedCode: string | null;
}

export class FolderNotes {
  readonly #deps: FolderNotesDeps;
  readonly #notes = new Map<string, Note>();
  readonly #ending = new AbortController();
  #agentUrl = '';
  #ends: (() => void)[] = [];
  #refreshing: Promise<void> = Promise.resolve();

  constructor(deps: FolderNotesDeps) {
    this.#deps = deps;
  }

  start(agentUrl: string): void {
    const { mirrors, store } = this.#deps;
    this.#agentUrl = agentUrl;
    this.#ends = [
      mirrors.folders.onChange((mirrorId) => this.#due(mirrorId)),
      store.onCommit(({ workspaces }) => {
        for (const workspaceId of workspaces.keys())
          for (const mirrorId of mirrors.folders.mirrorIds(workspaceId)) this.#due(mirrorId);
      }),
    ];
    this.#allDue();
    this.#refreshing = this.#refresh();
  }

  /** Says in each folder that the agent has stopped, as far as the disks answer within a second. */
  async stop(): Promise<void> {
    for (const end of this.#ends.splice(0)) end();
    this.#ending.abort();
    await this.#refreshing;
    const { clock, mirrors } = this.#deps;
    const timer = new AbortController();
    const last = Promise.all(
      mirrors.folders.mirrorIds().map(async (mirrorId) => {
        const note = this.#noteOf(mirrorId);
        await note.running;
        await this.#write(mirrorId, note, false);
      }),
    );
    await Promise.race([last, clock.delay(lastNotesWithinMs, timer.signal)]);
    timer.abort();
  }

  async #refresh(): Promise<void> {
    const { signal } = this.#ending;
    for (;;) {
      await this.#deps.clock.delay(refreshEveryMs, signal);
      if (signal.aborted) return;
      this.#allDue();
    }
  }

  #allDue(): void {
    const mirrorIds = new Set(this.#deps.mirrors.folders.mirrorIds());
    for (const mirrorId of this.#notes.keys()) if (!mirrorIds.has(mirrorId)) this.#notes.delete(mirrorId);
    for (const mirrorId of mirrorIds) this.#due(mirrorId);
  }

  #noteOf(mirrorId: string): Note {
    const known = this.#notes.get(mirrorId);
    if (known !== undefined) return known;
    const note: Note = { isDue: false, running: null, written: '', loggedCode: null };
    this.#notes.set(mirrorId, note);
    return note;
  }

  #due(mirrorId: string): void {
    if (this.#ending.signal.aborted) return;
    const note = this.#noteOf(mirrorId);
    note.isDue = true;
    note.running ??= this.#keep(mirrorId, note).finally(() => {
      note.running = null;
    });
  }

  async #keep(mirrorId: string, note: Note): Promise<void> {
    const { signal } = this.#ending;
    while (note.isDue && !signal.aborted) {
      note.isDue = false;
      await this.#write(mirrorId, note, true);
      await this.#deps.clock.delay(noteEveryMs, signal);
    }
  }

  async #write(mirrorId: string, note: Note, isRunning: boolean): Promise<void> {
    const { mirrors, clock, logger } = this.#deps;
    try {
      const folder = await mirrors.folders.get(mirrorId);
      if (folder === null) return;
      const state = folderStateOf(await this.#factsOf(folder, isRunning));
      const text = JSON.stringify(state, null, 2);
      if (text === note.written) return;
      const notes: FolderNote[] = [
        { name: 'README.md', text: readmeText(state) },
        { name: 'state.json', text: withTime(state, clock.nowMs()) },
      ];
      if (!(await mirrors.folders.writeNotes(mirrorId, notes))) return;
      note.written = text;
      note.loggedCode = null;
    } catch (error) {
      const code = String((error as { code?: unknown }).code ?? (error as Error).message);
      if (code === note.loggedCode || this.#ending.signal.aborted) return;
      note.loggedCode = code;
      const dir = mirrors.folders.dir(mirrorId);
      logger.warn({ err: error, dir }, 'the notes in .mooring could not be written; sync is not affected');
    }
  }

  async #factsOf(folder: MirroredFolder, isRunning: boolean): Promise<FolderFacts> {
    const { store } = this.#deps;
    const { workspaceId } = folder.mirror;
    const [workspace, counts, letters, run] = await Promise.all([
      store.workspaces.get(workspaceId),
      store.writebacks.counts(workspaceId),
      store.ingest.deadLetters({ ...anyDeadLetter, workspaceId }),
      folder.forkId === null ? null : store.runs.findOfFork(workspaceId, folder.forkId),
    ]);
    return {
      folder,
      workspaceName: workspace?.name ?? workspaceId,
      runId: run?.runId ?? null,
      agentUrl: this.#agentUrl,
      isRunning,
      writeback: {
        pending: counts.reduce((sum, { pending, running }) => sum + pending + running, 0),
        deadLettered: counts.reduce((sum, { deadLettered }) => sum + deadLettered, 0),
      },
      deadLetters: letters?.items ?? [],
    };
  }
}

const anyDeadLetter = {
  provider: null,
  cause: null,
  text: null,
  failedBeforeMs: null,
  envelopeIds: null,
  cursor: null,
  limit: deadLettersReadMax,
} as const;

function withTime(state: FolderState, nowMs: number): string {
  return `${JSON.stringify({ ...state, changedAt: new Date(nowMs).toISOString() }, null, 2)}\n`;
}
