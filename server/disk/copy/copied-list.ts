// The list of the files and links that were copied into the folder of a run, with what identified both sides then. It is kept outside of that
// folder, where a command of the run does not work.
import { closeSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import path from 'node:path';
import type { FileStat } from '../port/file-system.ts';
import type { Identity } from '../tree/local-tree.ts';

const bufferedCharactersMax = 256 * 1024;

export interface CopiedFile {
  readonly kind: 'file' | 'link';
  readonly mode: number;
  /** The state of the original and of the copy; of a link the target. Equal texts are equal states. */
  readonly source: string;
  readonly copy: string;
}

/** Any change of a file changes it. */
export function identityText({ sizeBytes, mtimeNs, ctimeNs, inode }: Identity): string {
  return `${sizeBytes}:${mtimeNs}:${ctimeNs}:${inode}`;
}

export function copiedFile(source: FileStat, copy: FileStat): CopiedFile {
  return { kind: 'file', mode: copy.mode, source: identityText(source), copy: identityText(copy) };
}

/** Writes the list; it has its name when it is whole. */
export class CopiedListWriter {
  readonly #file: string;
  readonly #handle: number;
  #waiting = '';

  constructor(file: string) {
    this.#file = file;
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    this.#handle = openSync(`${file}.new`, 'w', 0o600);
  }

  add(at: string, { kind, mode, source, copy }: CopiedFile): void {
    this.#waiting += `${JSON.stringify([at, kind, mode, source, copy])}\n`;
    if (this.#waiting.length >= bufferedCharactersMax) this.#write();
  }

  end(): void {
    this.#write();
    closeSync(this.#handle);
    renameSync(`${this.#file}.new`, this.#file);
  }

  #write(): void {
    const bytes = new TextEncoder().encode(this.#waiting);
    for (let at = 0; at < bytes.length; ) at += writeSync(this.#handle, bytes, at);
    this.#waiting = '';
  }
}

/** By path. null: there is no whole list. */
export function readCopiedList(file: string): Map<string, CopiedFile> | null {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return null;
  }
  const files = new Map<string, CopiedFile>();
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [at, kind, mode, source, copy] = JSON.parse(line) as [
      string,
      CopiedFile['kind'],
      number,
      string,
      string,
    ];
    files.set(at, { kind, mode, source, copy });
  }
  return files;
}
