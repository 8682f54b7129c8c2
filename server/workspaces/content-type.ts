// What kind a file is when nobody said so: by its extension, else by whether its bytes are text (contract ruling 26).
import { lookup } from 'mime-types';
import { nameOf } from '../core/paths/path.ts';

/** Content types that file extensions of plain text carry by accident of history: TypeScript is no video. */
const corrections: ReadonlyMap<string, string> = new Map([['video/mp2t', 'text/typescript']]);

/** `isText`: the bytes are valid UTF-8 without NUL. */
export function contentTypeOf(path: string, isText: boolean): string {
  const byExtension = lookup(nameOf(path));
  if (byExtension !== false) return (isText ? corrections.get(byExtension) : undefined) ?? byExtension;
  return isText ? 'text/plain' : 'application/octet-stream';
}
