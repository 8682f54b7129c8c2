// Runs before every vitest file, in its worker. The agent needs Node-API 10 (Node 24): on an older Node
// better-sqlite3 ends the process without a word, so say it here instead.
import fc from 'fast-check';
import { afterAll, afterEach } from 'vitest';
import { CheckedAnswers } from './answers/checked-answers.ts';
import { recordAnswers } from './answers/recorder.ts';
import { processorMsSinceLastFile } from './file-costs.ts';
import { endKeptAgents } from './kept-agents.ts';

if (Number(process.versions.napi) < 10) {
  throw new Error(
    `The tests need Node 24 and this is ${process.version}. Run them through "npm test" or "npm run", which put the right Node first on the PATH.`,
  );
}

// A failing property prints its seed and path; MOORING_TEST_SEED=<seed> replays it.
const seed = process.env.MOORING_TEST_SEED;
fc.configureGlobal({
  verbose: fc.VerbosityLevel.Verbose,
  ...(seed === undefined ? {} : { seed: Number(seed) }),
});

// Every answer of an agent is held against the documents of the API, also those of the processes that a test starts. A wrong one
// fails the test in which it was given. What is set here ends with the file: the next one may run in the same process.
const answers = new CheckedAnswers();
const { NODE_OPTIONS: optionsBefore } = process.env;
Object.assign(process.env, answers.nodeOptions());
const endRecording = recordAnswers(answers.folder);
afterEach(() => answers.verify());
// biome-ignore lint/correctness/noEmptyPattern: Vitest reads the first parameter and wants such a pattern
afterAll(async ({}, file) => {
  await endKeptAgents();
  endRecording();
  if (optionsBefore === undefined) delete process.env.NODE_OPTIONS;
  else process.env.NODE_OPTIONS = optionsBefore;
  await answers.verify();
  answers.end();
  file.meta.processorMs = processorMsSinceLastFile();
});
