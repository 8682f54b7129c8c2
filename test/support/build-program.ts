// Vitest and Playwright call this once before all tests: it builds the program that they start, when a source has changed, and the recorder of
// its answers.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { transformWithOxc } from 'vite';
import { buildCommand } from '../../build/command.mjs';
import { recorderFile, recorderSource } from './answers/recorder-file.ts';

export default async function buildProgram(): Promise<void> {
  const failure = buildCommand(process.execPath, (text) => process.stderr.write(`${text}\n`));
  if (failure !== null) throw new Error(`The agent could not be built (${failure}); the messages are above.`);
  await buildRecorder();
}

async function buildRecorder(): Promise<void> {
  const options = { sourcemap: false };
  const { code } = await transformWithOxc(readFileSync(recorderSource, 'utf8'), recorderSource, options);
  // In one step: other runs of tests may read it.
  const temporary = `${recorderFile}.${process.pid}`;
  mkdirSync(path.dirname(recorderFile), { recursive: true });
  writeFileSync(temporary, code);
  renameSync(temporary, recorderFile);
}
