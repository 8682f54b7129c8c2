// What a refresh address answers, read with suspicion: `{"files": [{"path", "content", "encoding", "contentType",
// "providerObjectId", "semantics", "deleted"}], "complete", "nextCursor"}`.
import type { Semantics } from '../contract/common.ts';
import { isNestedTooDeep, jsonNestingMax } from '../platform/json-nesting.ts';
import { type PulledFile, type PulledPage, PullFailedError } from './provider.ts';

const pageFilesMax = 10_000;
const cursorCharactersMax = 4_096;
const idCharactersMax = 1_024;

/** Throws PullFailedError. */
export function readPulledPage(body: Uint8Array): PulledPage {
  const page = parse(body);
  const { files, nextCursor } = page;
  if (!Array.isArray(files)) throw new PullFailedError('its answer has no list of files');
  if (files.length > pageFilesMax) {
    throw new PullFailedError(`a page of its answer has more than ${pageFilesMax} files`);
  }
  if (typeof nextCursor === 'string' && nextCursor.length > cursorCharactersMax) {
    throw new PullFailedError('its cursor is too long');
  }
  return {
    files: files.map(readFile),
    complete: page.complete === true,
    nextCursor: typeof nextCursor === 'string' && nextCursor !== '' ? nextCursor : null,
  };
}

function parse(body: Uint8Array): Readonly<Record<string, unknown>> {
  let value: unknown = null;
  try {
    value = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    throw new PullFailedError('its answer is not JSON');
  }
  if (typeof value !== 'object' || value === null) throw new PullFailedError('its answer is no object');
  if (isNestedTooDeep(value, body.byteLength)) {
    throw new PullFailedError(`its answer is nested more than ${jsonNestingMax} deep`);
  }
  return value as Record<string, unknown>;
}

function readFile(value: unknown): PulledFile {
  const file = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  if (typeof file.path !== 'string') throw new PullFailedError('a file of its answer has no path');
  const deleted = file.deleted === true;
  if (!deleted && typeof file.content !== 'string') {
    throw new PullFailedError(`${file.path} has no content`);
  }
  return {
    path: file.path,
    deleted,
    content: deleted ? '' : String(file.content),
    encoding: typeof file.encoding === 'string' ? file.encoding : null,
    contentType: typeof file.contentType === 'string' ? file.contentType : null,
    providerObjectId: shortText(file.providerObjectId),
    semantics: readSemantics(file.semantics),
  };
}

function shortText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= idCharactersMax ? value : null;
}

function readSemantics(value: unknown): Semantics | null {
  if (typeof value !== 'object' || value === null) return null;
  const { properties, relations, permissions, comments } = value as Record<string, unknown>;
  return {
    ...(typeof properties === 'object' && properties !== null
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([key, one]) => [
              key,
              typeof one === 'string' ? one : JSON.stringify(one),
            ]),
          ),
        }
      : {}),
    ...strings('relations', relations),
    ...strings('permissions', permissions),
    ...strings('comments', comments),
  };
}

function strings(name: 'relations' | 'permissions' | 'comments', value: unknown): Partial<Semantics> {
  if (!Array.isArray(value)) return {};
  return { [name]: value.filter((one): one is string => typeof one === 'string') };
}
