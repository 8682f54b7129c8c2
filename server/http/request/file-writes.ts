// Turns the fields of a request into a change of a file, and a refusal into an API error. Used by PUT, DELETE and bulk.
import type { BulkErrorCode, ErrorCode } from '../../contract/errors.ts';
import type { ContentIdentity, WriteFileBody, WriteQueued } from '../../contract/files.ts';
import { decodeContent, isShortContent, type LongText, stageLong } from '../../workspaces/decode-content.ts';
import { revisionName } from '../../workspaces/file-record.ts';
import {
  type Applied,
  type FileChange,
  type FileEntry,
  isAclPath,
  type Precondition,
  parseWritePath,
  type Refusal,
} from '../../workspaces/model.ts';
import type { WorkspaceService } from '../../workspaces/service.ts';
import { ApiError } from '../base/api-error.ts';
import {
  conflictPreviewBytesMax,
  conflictPreviewCharacters,
  contentTypeCharactersMax,
  semanticsCharactersMax,
} from '../base/limits.ts';

export type WriteFileChange = Extract<FileChange, { kind: 'write_file' }>;

/** Content type of a file that was created without one. */
const defaultContentType = 'text/markdown';

/** The request cannot become a change. PUT: 400; bulk: a per-file result with this code. */
export class UnwritableError extends Error {
  override readonly name = 'UnwritableError';
  readonly code: Extract<BulkErrorCode, 'invalid_path' | 'invalid_encoding' | 'invalid_content'>;

  constructor(code: UnwritableError['code'], message: string) {
    super(message);
    this.code = code;
  }
}

export interface FileToWrite {
  readonly path: string;
  readonly content?: string | LongText | undefined;
  readonly contentType?: string | undefined;
  readonly encoding?: string | undefined;
  readonly semantics?: WriteFileBody['semantics'];
  /** true: absent or empty metadata deletes that of the file. */
  readonly replaceSemantics?: boolean | undefined;
  readonly contentIdentity?: ContentIdentity | undefined;
  readonly precondition: Precondition;
}

/** Decodes and stages the content. Throws an UnwritableError. */
export async function toWriteChange(
  workspaces: WorkspaceService,
  file: FileToWrite,
): Promise<WriteFileChange> {
  const parsed = parseWritePath(file.path);
  if (!parsed.ok) throw new UnwritableError('invalid_path', parsed.reason);
  if (file.contentType !== undefined && !isContentType(file.contentType)) {
    throw new UnwritableError(
      'invalid_content',
      `contentType is not well-formed or has more than ${contentTypeCharactersMax} characters`,
    );
  }
  const { content, encoding, aclText } = await staged(workspaces, parsed.path, file);
  return {
    kind: 'write_file',
    path: parsed.path,
    precondition: file.precondition,
    content,
    ...(file.contentType === undefined || file.contentType === '' ? {} : { contentType: file.contentType }),
    defaultContentType,
    encoding,
    ...(file.semantics === undefined ? {} : { semantics: semanticsOf(file.semantics) }),
    ...(file.replaceSemantics === true ? { replacesSemantics: true } : {}),
    ...(file.contentIdentity === undefined ? {} : { contentIdentity: file.contentIdentity }),
    ...(aclText === undefined ? {} : { aclText }),
  };
}

async function staged(
  workspaces: WorkspaceService,
  path: string,
  { content = '', encoding }: FileToWrite,
): Promise<Pick<WriteFileChange, 'content' | 'encoding'> & { readonly aclText?: string }> {
  const isAcl = isAclPath(path);
  if (!isShortContent(content) && !isAcl) {
    const long = await stageLong(workspaces.stageStream, content, encoding);
    if (!long.ok) throw new UnwritableError(long.code, `invalid input: ${long.message}`);
    return long;
  }
  const decoded = decodeContent(content.toString(), encoding);
  if (!decoded.ok) throw new UnwritableError(decoded.code, `invalid input: ${decoded.message}`);
  const { bytes } = decoded;
  return {
    content: await workspaces.stage(bytes),
    encoding: decoded.encoding,
    ...(isAcl ? { aclText: bytes.toString('utf8') } : {}),
  };
}

function isContentType(text: string): boolean {
  return text.length <= contentTypeCharactersMax && text.isWellFormed();
}

/** Property values that are not strings become JSON text (docs/wire-contract.md#bytes-and-encoding). The core sorts the lists. */
function semanticsOf(
  semantics: NonNullable<WriteFileBody['semantics']>,
): NonNullable<WriteFileChange['semantics']> {
  const { properties, relations, permissions, comments } = semantics;
  const stored = {
    ...(properties === undefined ? {} : { properties: propertiesOf(properties) }),
    ...(relations === undefined ? {} : { relations }),
    ...(permissions === undefined ? {} : { permissions }),
    ...(comments === undefined ? {} : { comments }),
  };
  const texts = [
    ...Object.entries(stored.properties ?? {}).flat(),
    ...(relations ?? []),
    ...(permissions ?? []),
    ...(comments ?? []),
  ];
  if (texts.reduce((sum, text) => sum + text.length, 0) > semanticsCharactersMax) {
    throw new UnwritableError(
      'invalid_content',
      `semantics have more than ${semanticsCharactersMax} characters`,
    );
  }
  if (!texts.every((text) => text.isWellFormed())) {
    throw new UnwritableError('invalid_content', 'semantics contain an unpaired surrogate');
  }
  return stored;
}

function propertiesOf(properties: Readonly<Record<string, unknown>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(properties).map(([key, value]) => [
      key,
      typeof value === 'string' ? value : jsonText(value),
    ]),
  );
}

function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value);
  } catch (error) {
    // The parser accepts any depth; JSON.stringify is limited by the stack.
    if (error instanceof RangeError)
      throw new UnwritableError('invalid_content', 'semantics are nested too deeply');
    throw error;
  }
}

// ---- preconditions

/** `W/"rev_1"` -> `rev_1`. */
export function stripEtag(tag: string): string {
  const strong = tag.startsWith('W/') ? tag.slice(2) : tag;
  return strong.length >= 2 && strong.startsWith('"') && strong.endsWith('"') ? strong.slice(1, -1) : strong;
}

/** null: absent. */
export function preconditionOf(ifMatch: string | undefined): Precondition | null {
  const revision = ifMatch === undefined ? '' : stripEtag(ifMatch.trim());
  if (revision === '') return null;
  if (revision === '*') return { kind: 'any' };
  return revision === '0' ? { kind: 'absent' } : { kind: 'revision', revision };
}

// ---- responses

export function writeQueued(applied: Applied): WriteQueued {
  return {
    opId: applied.opId ?? '',
    status: 'queued',
    targetRevision: revisionName(applied),
    writeback: { provider: applied.provider, state: 'pending' },
  };
}

const refusalCodes: Readonly<Record<Refusal['code'], ErrorCode>> = {
  revision_conflict: 'revision_conflict',
  not_found: 'not_found',
  forbidden: 'forbidden',
  invalid_path: 'bad_request',
  invalid_content: 'bad_request',
  path_conflict: 'invalid_state',
  workspace_not_found: 'workspace_not_found',
  not_applied: 'invalid_state',
};

export async function refusalError(workspaces: WorkspaceService, refusal: Refusal): Promise<ApiError> {
  if (refusal.code !== 'revision_conflict') return new ApiError(refusalCodes[refusal.code], refusal.message);
  const preview = await previewOf(workspaces, refusal.current);
  return new ApiError('revision_conflict', refusal.message, {
    fields: {
      expectedRevision: refusal.expectedRevision ?? '',
      currentRevision: refusal.currentRevision ?? '',
      ...(preview === '' ? {} : { currentContentPreview: preview }),
    },
  });
}

/** The first characters of the current text; empty for binary or missing content. */
export async function previewOf(
  workspaces: WorkspaceService,
  current: FileEntry | undefined,
): Promise<string> {
  if (current === undefined || current.encoding === 'base64' || current.sizeBytes === 0) return '';
  const end = Math.min(current.sizeBytes, conflictPreviewBytesMax);
  const opened = await workspaces.openContent(current.hash, { start: 0, end });
  if (opened === null) return '';
  const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
  let text = '';
  // The last character may be cut.
  for await (const piece of opened.stream) text += decoder.decode(piece, { stream: true });
  // The cut must not split a surrogate pair.
  return text.slice(0, conflictPreviewCharacters).replace(/[\ud800-\udbff]$/, '');
}
