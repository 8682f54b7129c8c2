// The default content type of a file: by its extension, else by whether its bytes are text (docs/wire-contract.md#bytes-and-encoding).
import { lookup } from 'mime-types';
import { nameOf } from '../core/paths/path.ts';

/** Extensions of text files that the registry assigns to a binary type: `.ts` is TypeScript, not video. */
const corrections: ReadonlyMap<string, string> = new Map([['video/mp2t', 'text/typescript']]);

/** `isText`: the bytes are valid UTF-8 without NUL. */
export function contentTypeOf(path: string, isText: boolean): string {
  const byExtension = lookup(nameOf(path));
  if (byExtension !== false) return (isText ? corrections.get(byExtension) : undefined) ?? byExtension;
  return isText ? 'text/plain' : 'application/octet-stream';
}
