// All tools, in the order in which clients list them.
import { changes } from './changes.ts';
import { deleteFile } from './delete-file.ts';
import { editFile } from './edit-file.ts';
import { history } from './history.ts';
import { listFiles } from './list-files.ts';
import { moveFile } from './move-file.ts';
import { readFile } from './read-file.ts';
import { restore } from './restore.ts';
import { search } from './search.ts';
import { status } from './status.ts';
import type { Tool } from './tool.ts';
import { waitForChanges } from './wait-for-changes.ts';
import { writeFile } from './write-file.ts';

export const tools: readonly Tool[] = [
  listFiles,
  readFile,
  writeFile,
  editFile,
  moveFile,
  deleteFile,
  search,
  history,
  restore,
  waitForChanges,
  changes,
  status,
];
