// Parses a page of a refresh URL, which is not trusted: `{"files": [{"path", "content", "encoding", "contentType",
// "providerObjectId", "semantics", "deleted"}], "complete", "nextCursor"}`.
import type { Semantics } from '../../contract/common.ts';
import { LongText } from '../../core/long-text.ts';
import { refreshMembersMax, refreshPageFilesMax, refreshPageValuesMax } from '../../delivery/limits.ts';
import { TimeSlices } from '../../platform/event-loop.ts';
import { jsonNestingMax } from '../../platform/json/json.ts';
import { type JsonExcess, JsonScan } from '../../platform/json/json-scan.ts';
import { JsonSyntaxError, parseJsonWithLongTexts } from '../../platform/json/parse-in-slices.ts';
import { jsonTextInSlices } from '../../platform/json/write-in-slices.ts';
import { type PulledFile, type PulledPage, PullFailedError } from './provider.ts';

const cursorCharactersMax = 4_096;
const idCharactersMax = 1_024;
/** Bytes that are scanned before others get their turn. */
const scannedBytes = 1024 * 1024;

/** Throws PullFailedError. It lets others go first again and again: a page may be large. */
export async function readPulledPage(body: Uint8Array): Promise<PulledPage> {
  const page = await parse(body);
  const { files, nextCursor } = page;
  if (!Array.isArray(files)) throw new PullFailedError('its answer has no list of files');
  if (files.length > refreshPageFilesMax) {
    throw new PullFailedError(`a page of its answer has more than ${refreshPageFilesMax} files`);
  }
  if (typeof nextCursor === 'string' && nextCursor.length > cursorCharactersMax) {
    throw new PullFailedError('its cursor is too long');
  }
  const read: PulledFile[] = [];
  for (const file of files) read.push(await readFile(file));
  return {
    files: read,
    complete: page.complete === true,
    nextCursor: typeof nextCursor === 'string' && nextCursor !== '' ? nextCursor : null,
  };
}

async function parse(body: Uint8Array): Promise<Readonly<Record<string, unknown>>> {
  await requireParsable(body);
  const { value } = await parseJsonWithLongTexts(body, 'content').catch((error: unknown) => {
    throw error instanceof JsonSyntaxError ? new PullFailedError('its answer is not JSON') : error;
  });
  if (typeof value !== 'object' || value === null) throw new PullFailedError('its answer is no object');
  return value as Record<string, unknown>;
}

/** Before anything of it is parsed: many small values cost far more than their bytes. */
async function requireParsable(body: Uint8Array): Promise<void> {
  const turns = new TimeSlices();
  const scan = new JsonScan({
    valuesMax: refreshPageValuesMax,
    depthMax: jsonNestingMax,
    membersMax: refreshMembersMax,
  });
  for (let from = 0; from < body.length; from += scannedBytes) {
    const excess = scan.add(body.subarray(from, from + scannedBytes));
    if (excess !== null) throw new PullFailedError(refusals[excess]);
    await turns.next();
  }
}

const refusals: Readonly<Record<JsonExcess, string>> = {
  too_deep: `its answer is nested more than ${jsonNestingMax} deep`,
  too_many_values: `a page of its answer has more than ${refreshPageValuesMax} JSON values`,
  too_many_members: `an object of its answer has more than ${refreshMembersMax} members`,
};

async function readFile(value: unknown): Promise<PulledFile> {
  const file = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  if (typeof file.path !== 'string') throw new PullFailedError('a file of its answer has no path');
  const deleted = file.deleted === true;
  const content = deleted ? '' : file.content;
  if (typeof content !== 'string' && !(content instanceof LongText)) {
    throw new PullFailedError(`${file.path} has no content`);
  }
  return {
    path: file.path,
    deleted,
    content,
    encoding: typeof file.encoding === 'string' ? file.encoding : null,
    contentType: typeof file.contentType === 'string' ? file.contentType : null,
    providerObjectId: shortText(file.providerObjectId),
    semantics: await readSemantics(file.semantics),
  };
}

function shortText(value: unknown): string | null {
  return typeof value === 'string' && value !== '' && value.length <= idCharactersMax ? value : null;
}

async function readSemantics(value: unknown): Promise<Semantics | null> {
  if (typeof value !== 'object' || value === null) return null;
  const { properties, relations, permissions, comments } = value as Record<string, unknown>;
  return {
    ...(typeof properties === 'object' && properties !== null ? { properties: await texts(properties) } : {}),
    ...strings('relations', relations),
    ...strings('permissions', permissions),
    ...strings('comments', comments),
  };
}

async function texts(properties: object): Promise<Record<string, string>> {
  const entries: [string, string][] = [];
  for (const [key, one] of Object.entries(properties)) {
    entries.push([key, typeof one === 'string' ? one : await jsonTextInSlices(one)]);
  }
  return Object.fromEntries(entries);
}

function strings(name: 'relations' | 'permissions' | 'comments', value: unknown): Partial<Semantics> {
  if (!Array.isArray(value)) return {};
  return { [name]: value.filter((one): one is string => typeof one === 'string') };
}
