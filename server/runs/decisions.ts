// Decides on files that both a run and others changed: by the caller's decision, or by a three-way merge of texts. What neither
// decides is left for a person. It reads contents and changes nothing.
import { type Compute, ComputeError, isOverLimit } from '../compute/port.ts';
import { mergeBytesMax } from '../core/merge/three-way-merge.ts';
import { decodeText } from '../workspaces/content-encoding.ts';
import { isAclPath } from '../workspaces/model.ts';
import type { WorkspaceService } from '../workspaces/service.ts';

/** A caller's decision about a conflict. `run`: the run's version; `workspace`: the workspace's version. */
export interface Decision {
  readonly path: string;
  readonly take: 'run' | 'workspace';
  /** It holds only while the workspace's file has this revision; 0: there is none. null: whatever it has. */
  readonly revision: number | null;
}

export interface UndecidedConflict {
  readonly path: string;
  /** Of the workspace's file; 0: there is none. */
  readonly revision: number;
  /** Why it is not merged. */
  readonly reason: 'overlapping' | 'not_text' | 'too_large' | 'created' | 'deleted' | 'access_rules' | 'busy';
}

/** The contents of a merge; null: there is no file. */
export interface Versions {
  readonly path: string;
  readonly base: FileVersion | null;
  readonly mine: FileVersion | null;
  readonly theirs: FileVersion | null;
}

interface FileVersion {
  readonly hash: string;
  readonly sizeBytes: number;
}

type Merged =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: UndecidedConflict['reason'] };

export function decisionAt(
  decisions: readonly Decision[],
  path: string,
  revision: number,
): Decision['take'] | null {
  const found = decisions.find((decision) => decision.path === path);
  if (found === undefined) return null;
  return found.revision === null || found.revision === revision ? found.take : null;
}

/** The merge of two edits of one text without overlapping changes. */
export async function mergeVersions(
  { workspaces, compute }: { readonly workspaces: WorkspaceService; readonly compute: Compute },
  { path, base, mine, theirs }: Versions,
): Promise<Merged> {
  if (mine === null || theirs === null) return { ok: false, reason: 'deleted' };
  if (base === null) return { ok: false, reason: 'created' };
  // A line merge of access rules could grant access that neither side intended.
  if (isAclPath(path)) return { ok: false, reason: 'access_rules' };
  const versions = [base, mine, theirs];
  if (versions.some(({ sizeBytes }) => sizeBytes > mergeBytesMax)) return { ok: false, reason: 'too_large' };
  const contents = await Promise.all(versions.map(({ hash }) => workspaces.readContent(hash)));
  const [baseText, mineText, theirText] = contents.map((bytes) =>
    bytes === null ? null : decodeText(bytes),
  );
  if (baseText == null || mineText == null || theirText == null) return { ok: false, reason: 'not_text' };
  try {
    const input = { path, base: baseText, mine: mineText, theirs: theirText };
    const text = await compute.run('merge_file', input);
    return text === null ? { ok: false, reason: 'overlapping' } : { ok: true, text };
  } catch (error) {
    if (isOverLimit(error)) return { ok: false, reason: 'overlapping' };
    if (error instanceof ComputeError) return { ok: false, reason: 'busy' };
    throw error;
  }
}
