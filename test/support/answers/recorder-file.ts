// recorder.ts without its types, for the processes that load it before their program: Node does not keep the result of removing them from a file
// that is named with a query, and does it anew in each process, for a fifth of the processor time of an agent's start.
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { folderParameter } from './recorder.ts';

export const recorderSource = path.resolve(import.meta.dirname, 'recorder.ts');
/** build-program.ts writes it before the first test. Beside the packages, because its content is executed. */
export const recorderFile = path.resolve(
  import.meta.dirname,
  '../../../node_modules/.cache/mooring-answers-recorder.mjs',
);

/** For NODE_OPTIONS: child processes note their answers in a file of their own in the folder. */
export function recorderOption(folder: string): string {
  const url = pathToFileURL(recorderFile);
  url.search = new URLSearchParams({ [folderParameter]: folder }).toString();
  return `--import=${url.href}`;
}
