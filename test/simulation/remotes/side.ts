// What a person does on one machine of the simulation, a desktop or the server: one change of its store, and what is in its files.
import type { ChangeResult, FileChange, WriteFile } from '../../../server/core/change/change.ts';
import { sha256Hex } from '../../../server/platform/crypto/hashes.ts';
import { inlineBlob } from '../../../server/store/contents/inline-content.ts';
import { findContent } from '../../../server/store/tables/files/files.ts';
import type { SimStore } from '../store.ts';

export interface Side {
  readonly name: string;
  readonly store: SimStore;
  readonly workspaceId: string;
}

/** false: the store refused the change. */
export function changeOn({ store, workspaceId, name }: Side, change: FileChange, atMs: number): boolean {
  const [result] = store.commit({
    name: 'change_files',
    input: {
      kind: 'change_files',
      workspaceId,
      changes: [change],
      atomic: false,
      actor: { kind: 'token', name: `person of ${name}`, tokenId: null },
      origin: 'agent_write',
      access: null,
      correlationId: '',
      makesOperations: false,
      atMs,
    },
  }) as readonly ChangeResult[];
  return result?.ok === true;
}

export function writeOf(path: string, text: string, metadata: Pick<WriteFile, 'semantics'> = {}): WriteFile {
  const bytes = new TextEncoder().encode(text);
  return {
    kind: 'write_file',
    path,
    precondition: { kind: 'any' },
    content: inlineBlob(sha256Hex(bytes), bytes),
    defaultContentType: 'text/plain',
    encoding: 'utf-8',
    ...metadata,
  };
}

/** null: no file is there. */
export function textAt({ store, workspaceId }: Side, path: string): string | null {
  const hash = store.files(workspaceId, null).get(path);
  return hash === undefined ? null : textOf(store, hash);
}

export function textOf(store: SimStore, hash: string): string {
  const content = findContent(store.statements, hash);
  return content?.bytes == null ? '' : new TextDecoder().decode(content.bytes);
}
