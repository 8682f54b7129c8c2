// The program as users run it: the bundle of the agent and its commands, to be started with `process.execPath`. build-program.ts builds it
// before the first test.
import { commandFile } from '../../build/command.mjs';

export const program: string = commandFile;
