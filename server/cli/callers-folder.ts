// `npm run mooring` runs in the checkout, wherever it was called. Paths of the command line, and the project of `mcp install`, are those of the caller.
import { existsSync } from 'node:fs';

/** npm describes the call in two variables (https://docs.npmjs.com/cli/commands/npm-run-script). They are removed: a command that the program starts may
 * call it again from another folder. */
export function enterCallersFolder(env: NodeJS.ProcessEnv = process.env): void {
  const { npm_lifecycle_event: script, INIT_CWD: folder } = env;
  if (script !== 'mooring' || folder === undefined || !existsSync(folder)) return;
  delete env.npm_lifecycle_event;
  delete env.INIT_CWD;
  process.chdir(folder);
}
