// Merges a caller's edit of an older revision with the current content of a file. It writes the complete merge or nothing, through
// workspaces/service, with the merged revision as precondition.
import { type Compute, isOverLimit } from '../compute/port.ts';
import type { ContentIdentity } from '../contract/files.ts';
import type { Applied, ChangeFiles, Refusal } from '../core/change/change.ts';
import type { FileEntry } from '../core/entry.ts';
import { type ConflictHunk, type Merge, mergeBytesMax } from '../core/merge/three-way-merge.ts';
import { sha256Hex } from '../platform/crypto/hashes.ts';
import { decodeText } from './content-encoding.ts';
import { isAclPath } from './model.ts';
import type { WorkspaceService } from './service.ts';

/** The base must be one of that many newest revisions of the path. */
const baseRevisionsMax = 20;
/** Attempts when the file changes between the read and the write. */
const attemptsMax = 5;

export interface MergeInput {
  readonly workspaceId: string;
  readonly path: string;
  readonly content: string;
  readonly baseRevision: string;
  readonly baseContent: string;
  readonly contentType?: string;
  readonly contentIdentity?: ContentIdentity;
}

export type MergeIneligible = 'binary_content' | 'file_too_large' | 'too_different' | 'access_rules';

export type MergeResult =
  | { readonly kind: 'merged'; readonly applied: Applied; readonly againstRevision: number }
  | { readonly kind: 'not_found' }
  | { readonly kind: 'forbidden' }
  | { readonly kind: 'base_unavailable' }
  | { readonly kind: 'ineligible'; readonly reason: MergeIneligible }
  | { readonly kind: 'clashes'; readonly currentRevision: number; readonly clashes: readonly ConflictHunk[] }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

export async function mergeIntoFile(
  { workspaces, compute }: { readonly workspaces: WorkspaceService; readonly compute: Compute },
  input: MergeInput,
  by: Pick<ChangeFiles, 'actor' | 'access' | 'correlationId'>,
): Promise<MergeResult> {
  const { workspaceId, path } = input;
  let refusal: Refusal | null = null;
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const { entry, allowed } = await workspaces.getFile(workspaceId, path, by.access);
    if (!allowed) return { kind: 'forbidden' };
    if (entry === null) return { kind: 'not_found' };
    if (!(await isBase(workspaces, input))) return { kind: 'base_unavailable' };
    const merged = await mergeWith(workspaces, compute, input, entry);
    if (typeof merged !== 'string') return merged;
    const [result] = await workspaces.change({
      workspaceId,
      changes: [await writeOf(workspaces, input, entry, merged)],
      atomic: false,
      ...by,
      origin: 'agent_write',
      makesOperations: true,
    });
    if (result === undefined) throw new Error('a change has no result');
    if (result.ok) return { kind: 'merged', applied: result, againstRevision: entry.revision };
    refusal = result;
    // The file changed in the meantime: the next attempt merges with the new revision.
    if (result.code !== 'revision_conflict' && result.code !== 'not_found') break;
    if (result.earlier !== undefined) break;
  }
  if (refusal === null) throw new Error('a merge was never attempted');
  return { kind: 'refused', refusal };
}

/** true: the base revision is retained and has the base content. */
async function isBase(workspaces: WorkspaceService, input: MergeInput): Promise<boolean> {
  const { workspaceId, path, baseRevision, baseContent } = input;
  const rows = await workspaces.history(workspaceId, path, baseRevisionsMax, null);
  const row = rows.find(({ revision }) => `rev_${revision}` === baseRevision);
  return row?.hash != null && row.hash === sha256Hex(baseContent);
}

async function mergeWith(
  workspaces: WorkspaceService,
  compute: Compute,
  { path, content, baseContent }: MergeInput,
  current: FileEntry,
): Promise<string | MergeResult> {
  // A line merge of access rules could grant access that neither side intended.
  if (isAclPath(path)) return { kind: 'ineligible', reason: 'access_rules' };
  if (current.sizeBytes > mergeBytesMax) return { kind: 'ineligible', reason: 'file_too_large' };
  const bytes = await workspaces.readContent(current.hash);
  const theirs = bytes === null || current.encoding === 'base64' ? null : decodeText(bytes);
  if (theirs === null || content.includes('\0') || baseContent.includes('\0')) {
    return { kind: 'ineligible', reason: 'binary_content' };
  }
  const merge = await mergeTexts(compute, { base: baseContent, mine: content, theirs });
  switch (merge.kind) {
    case 'clean':
      return merge.text;
    case 'conflicts':
      return { kind: 'clashes', currentRevision: current.revision, clashes: merge.conflicts };
    case 'too_different':
      return { kind: 'ineligible', reason: 'too_different' };
  }
}

async function mergeTexts(
  compute: Compute,
  texts: { readonly base: string; readonly mine: string; readonly theirs: string },
): Promise<Merge> {
  try {
    return await compute.run('merge_lines', texts);
  } catch (error) {
    if (isOverLimit(error)) return { kind: 'too_different' };
    throw error;
  }
}

async function writeOf(
  workspaces: WorkspaceService,
  { path, content, contentType, contentIdentity }: MergeInput,
  current: FileEntry,
  text: string,
): Promise<ChangeFiles['changes'][number]> {
  return {
    kind: 'write_file',
    path,
    precondition: { kind: 'revision', revision: `rev_${current.revision}` },
    content: await workspaces.stage(new TextEncoder().encode(text)),
    defaultContentType: 'text/plain',
    encoding: 'utf-8',
    ...(contentType === undefined || contentType === '' ? {} : { contentType }),
    // The merged text depends on other writers; a repeated request is recognized by the content that the caller sent.
    ...(contentIdentity === undefined ? {} : { contentIdentity, identityHash: sha256Hex(content) }),
  };
}
