// A folder that belongs to one test: made when asked for, removed when the test ends, pass or fail.
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';

/** Makes an empty folder and removes it, with all it holds, when the current test ends. Call inside a test. */
export function tempFolder(name = 'mooring'): string {
  const folder = makeTempFolder(name);
  onTestFinished(() => removeFolder(folder));
  return folder;
}

/** The same without a test to hang on to (for `beforeAll`): the caller removes it with `removeFolder`. */
export function makeTempFolder(name = 'mooring'): string {
  return realpathSync(mkdtempSync(path.join(tmpdir(), `${name}-`)));
}

/** Removes a folder made by `makeTempFolder`; retries while a dying process still writes into it. */
export function removeFolder(folder: string): void {
  rmSync(folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
}
