// The check of the checks: what an agent answers wrongly fails the test in which it did, whatever that test says itself.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { removeFolder, tempFolder } from '../temp-folder.ts';
import { CheckedAnswers } from './checked-answers.ts';

const root = path.resolve(import.meta.dirname, '../../..');

it('a wrong answer of an agent that a test started fails that test and no other', async () => {
  // Neither its answers nor its counts are those of this run.
  const { NODE_OPTIONS: _recorder, MOORING_PART_ANSWERS: _counts, ...env } = process.env;
  const report = path.join(tempFolder(), 'report.json');
  const child = spawn(
    process.execPath,
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--config=test/support/answers/invalid-answers/vitest.config.ts',
      '--reporter=json',
      `--outputFile=${report}`,
    ],
    { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] },
  );
  await once(child, 'close');
  const { testResults } = JSON.parse(readFileSync(report, 'utf8')) as {
    testResults: { assertionResults: { title: string; status: string; failureMessages: string[] }[] }[];
  };
  const [file] = testResults;
  expect(
    file?.assertionResults.map(({ title, status, failureMessages }) => [
      title,
      status,
      failureMessages.map((message) => message.split('\n').find((line) => line.includes(' -> '))),
    ]),
  ).toEqual([
    [
      'a body that its schema does not allow',
      'failed',
      [expect.stringMatching(/status must be string .*: GET \/health -> 200 \{"status":7\}$/)],
    ],
    ['an answer as it should be', 'passed', []],
    [
      'a status that nobody documented',
      'failed',
      ['the status is not documented: GET /v1/workspaces -> 418 {}'],
    ],
  ]);
}, 120_000);

it('each answer is verified once, and what a killed agent wrote half was no answer', async () => {
  const answers = new CheckedAnswers();
  onTestFinished(() => removeFolder(answers.folder));
  const file = path.join(answers.folder, 'agent.jsonl');
  const health = { method: 'GET', url: '/health', status: 200, type: 'application/json', bytes: 15 };
  const right = `${JSON.stringify({ ...health, body: '{"status":"ok"}' })}\n`;
  const wrong = `${JSON.stringify({ ...health, body: '{"status":"ill"}' })}\n`;
  appendFileSync(file, right + wrong.slice(0, 20));
  await answers.verify();
  appendFileSync(file, wrong.slice(20) + right);
  await expect(answers.verify()).rejects.toThrow(/1 answers? .*\n.*GET \/health -> 200 {"status":"ill"}/);
  await answers.verify();
  expect(answers.counts).toMatchObject({ body: 2, wrong: 1 });
});
