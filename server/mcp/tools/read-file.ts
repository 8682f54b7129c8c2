// read_file: lines of a text within the size of an answer, or the facts of a binary file.
import { type OutputOf, readFileSpec } from '../../contract/mcp.ts';
import { budgetOf } from '../answer-size.ts';
import { readBytesMax } from '../limits.ts';
import { inRun } from '../run-of-call.ts';
import type { ToolCall } from '../session.ts';
import { type LoadedFile, loadFile, sha256Of } from '../text-file.ts';
import { linesOf } from '../text-lines.ts';
import { ToolError } from '../tool-error.ts';
import { defineTool } from './tool.ts';

type Output = OutputOf<typeof readFileSpec>;

export const readFile = defineTool(readFileSpec, async (input, call) => {
  const { path, revision, startLine = 1, lineCount, startCharacter = 0, includeBytes, maxCharacters } = input;
  const inside = await inRun(call, input.runId);
  const file = await loadFile(inside, path, revision);
  const budget = budgetOf(maxCharacters);
  const facts = { path, revision: file.revision, size: file.size };
  if (file.isLongText) throw tooLong(path, file);
  if (file.text === null)
    return {
      ...facts,
      ...(await typeOf(inside, path, file)),
      ...binary(file, includeBytes === true, budget),
    };
  const part = { startLine, lineCount, startCharacter, charactersMax: budget };
  return { ...facts, binary: false, ...linesOf(file.bytes, part) };
});

/** The metadata come with the content, which is not loaded twice when it is large. */
async function typeOf(
  { client, session, signal, forkId }: ToolCall,
  path: string,
  { size, revision }: LoadedFile,
): Promise<Pick<Output, 'contentType'>> {
  if (size > readBytesMax) return {};
  const options = { signal, ...(forkId === undefined ? { revision } : { forkId }) };
  const { contentType } = await client.files.read(session.workspaceId, path, options);
  return { contentType };
}

function tooLong(path: string, { size }: LoadedFile): ToolError {
  return new ToolError(
    'payload_too_large',
    `${path} is a text of ${size} bytes: read_file reads texts of at most ${readBytesMax} bytes`,
    'Find lines of it with search and a context, or read a range with the HTTP API.',
    { size },
  );
}

function binary(
  file: LoadedFile,
  includeBytes: boolean,
  budget: number,
): Pick<Output, 'binary' | 'truncated' | 'sha256' | 'base64'> {
  const sha256 = sha256Of(file);
  const hash = sha256 === undefined ? {} : { sha256 };
  if (!includeBytes) return { binary: true, truncated: file.size > readBytesMax, ...hash };
  const base64 = file.bytes.toString('base64');
  if (base64.length <= budget && sha256 !== undefined)
    return { binary: true, truncated: false, ...hash, base64 };
  throw new ToolError(
    'payload_too_large',
    `the file has ${file.size} bytes, which exceed the ${budget} characters of an answer`,
    'Read it with the HTTP API.',
  );
}
