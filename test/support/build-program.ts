// Vitest and Playwright call this once before all tests: it builds the program that they start, when a source has changed.
import { buildCommand } from '../../build/command.mjs';

export default function buildProgram(): void {
  const failure = buildCommand(process.execPath, (text) => process.stderr.write(`${text}\n`));
  if (failure !== null) throw new Error(`The agent could not be built (${failure}); the messages are above.`);
}
