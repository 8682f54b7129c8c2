// A fork in the form of a workspace, for the mirror of a run: the same engine syncs both. A fork has no moves and no history of its own,
// so a move is staged as a write and a deletion, and only the newest state of each path is retained. It decides nothing.
import type {
  BaseUpdate,
  ChangeFiles,
  ChangeResult,
  FileChange,
  MoveFile,
} from '../../core/change/change.ts';
import type { FileEntry } from '../../core/entry.ts';
import type { RevisionRow } from '../../store/port/store.ts';
import { ForkFullError, ForkGoneError, type ForkService } from '../../workspaces/forks.ts';
import type { MirrorChangeResult, MirroredWorkspace } from './scoped-workspace.ts';

type Step = BaseUpdate['steps'][number];

/** What one change of the mirror becomes in the fork; `refused`: it cannot apply any more. */
interface Staged {
  readonly changes: readonly FileChange[];
  readonly steps: readonly Step[];
  readonly refused: MirrorChangeResult | null;
}

export function forkedWorkspace(
  workspaces: MirroredWorkspace,
  forks: ForkService,
  forkId: string,
): MirroredWorkspace {
  const getFile = async (workspaceId: string, path: string): Promise<FileEntry | null> => {
    const files = await forks.files(workspaceId, forkId);
    return (await files.getFile(workspaceId, path, null)).entry;
  };
  return {
    async get(workspaceId) {
      try {
        await forks.open(workspaceId, forkId);
      } catch (error) {
        if (error instanceof ForkGoneError) return null;
        throw error;
      }
      return await workspaces.get(workspaceId);
    },
    stage: (bytes) => workspaces.stage(bytes),
    stageStream: (source, bytesMax) => workspaces.stageStream(source, bytesMax),
    unstage: (content) => workspaces.unstage(content),
    readContent: (hash) => workspaces.readContent(hash),
    openContent: (hash, range) => workspaces.openContent(hash, range),
    getEntry: getFile,
    async listFiles(workspaceId, path, afterPath, limit) {
      const files = await forks.files(workspaceId, forkId);
      const { items } = await files.query(
        workspaceId,
        { path, properties: {} },
        { afterPath, limit, access: null },
      );
      return items.map(({ entry }) => entry);
    },
    /** Its newest state alone. */
    async history(workspaceId, path, limit, beforeRevision) {
      const entry = await getFile(workspaceId, path);
      if (entry === null || limit === 0) return [];
      return beforeRevision !== null && entry.revision >= beforeRevision ? [] : [revisionOf(entry)];
    },
    // What was agreed on is the fork's former state: a fork retains only the newest one.
    isKnownContent: () => Promise.resolve(true),
    change: (command) => changeFork(forks, forkId, getFile, command),
  };
}

async function changeFork(
  forks: ForkService,
  forkId: string,
  getFile: (workspaceId: string, path: string) => Promise<FileEntry | null>,
  command: Omit<ChangeFiles, 'kind'>,
): Promise<readonly MirrorChangeResult[]> {
  const { workspaceId, agreement } = command;
  const none: Step = { gone: null, file: null };
  const staged = await Promise.all(
    command.changes.map(async (change, index): Promise<Staged> => {
      const step = agreement?.steps[index] ?? none;
      if (change.kind === 'move_file')
        return stageMove(change, await getFile(workspaceId, change.from), step);
      // A fork has no history to retain a version in; the merge that follows contains it.
      if (change.kind === 'keep_version') return { changes: [], steps: [], refused: null };
      return { changes: [change], steps: [step], refused: null };
    }),
  );
  const refused = staged.find((one) => one.refused !== null);
  if (refused !== undefined && command.atomic)
    return command.changes.map((change, index) => staged[index]?.refused ?? notApplied(change));
  const send = async (sent: readonly Staged[]) => {
    const changes = sent.flatMap((one) => one.changes);
    if (changes.length === 0) return [];
    const steps = sent.flatMap((one) => one.steps);
    return await forks.change({
      ...command,
      forkId,
      changes,
      ...(agreement === undefined ? {} : { agreement: { ...agreement, steps } }),
    });
  };
  const { sent, results } = await withinLimits(staged, command, send);
  let at = 0;
  return sent.map(({ changes, refused: refusal }, index) => {
    const own = results.slice(at, at + changes.length);
    at += changes.length;
    if (refusal !== null) return refusal;
    return own.find((result) => !result.ok) ?? own[0] ?? unchanged(command.changes[index] as FileChange);
  });
}

interface Sent {
  readonly sent: readonly Staged[];
  readonly results: readonly ChangeResult[];
}

/** Changes that a full fork does not take are refused. Deletions are sent alone then, because they may make room. */
async function withinLimits(
  staged: readonly Staged[],
  { changes, atomic }: Pick<ChangeFiles, 'changes' | 'atomic'>,
  send: (sent: readonly Staged[]) => Promise<readonly ChangeResult[]>,
): Promise<Sent> {
  const deletes = (one: Staged) => one.changes.every(({ kind }) => kind === 'delete_file');
  const tries = [() => true, (one: Staged) => !atomic && deletes(one)];
  let message = '';
  for (const isSent of tries) {
    const sent = staged.map((one, index) =>
      isSent(one) ? one : fullFor(changes[index] as FileChange, message),
    );
    try {
      return { sent, results: await send(sent) };
    } catch (error) {
      if (!(error instanceof ForkFullError)) throw error;
      message = error.message;
    }
  }
  return { sent: changes.map((change) => fullFor(change, message)), results: [] };
}

function fullFor(change: FileChange, message: string): Staged {
  return {
    changes: [],
    steps: [],
    refused: { ok: false, path: pathOf(change), code: 'fork_full', message },
  };
}

/** The content is in the store: at the former path. */
function stageMove({ from, to, precondition }: MoveFile, entry: FileEntry | null, step: Step): Staged {
  if (entry === null || precondition.kind !== 'content' || entry.hash !== precondition.hash) {
    const code = entry === null ? 'not_found' : 'revision_conflict';
    return {
      changes: [],
      steps: [],
      refused: { ok: false, path: from, code, message: 'the file has changed' },
    };
  }
  const { hash, sizeBytes, contentType, encoding, semantics } = entry;
  return {
    changes: [
      {
        kind: 'write_file',
        path: to,
        precondition: { kind: 'absent' },
        content: { hash, sizeBytes, staged: true },
        contentType,
        defaultContentType: contentType,
        encoding,
        semantics,
        replacesSemantics: true,
      },
      { kind: 'delete_file', path: from, precondition },
    ],
    steps: [
      { gone: null, file: step.file },
      { gone: step.gone, file: null },
    ],
    refused: null,
  };
}

function pathOf(change: FileChange): string {
  return change.kind === 'move_file' || change.kind === 'place_draft' ? change.from : change.path;
}

function notApplied(change: FileChange): ChangeResult {
  return {
    ok: false,
    path: pathOf(change),
    code: 'not_applied',
    message: 'nothing was applied: another change was refused',
  };
}

function unchanged(change: FileChange): ChangeResult {
  return {
    ok: true,
    path: pathOf(change),
    revision: 0,
    opId: null,
    provider: '',
    contentType: '',
    repeated: true,
  };
}

function revisionOf(entry: FileEntry): RevisionRow {
  const { path, revision, hash, sizeBytes, contentType, encoding, editedAtMs, semantics } = entry;
  return {
    path,
    revision,
    action: 'write',
    movedFrom: null,
    hash,
    sizeBytes,
    contentType,
    encoding,
    actor: { kind: 'mirror', name: 'Folder', tokenId: null },
    origin: 'agent_write',
    correlationId: '',
    opId: null,
    atMs: editedAtMs,
    batch: revision,
    restoredFrom: null,
    semantics,
  };
}
