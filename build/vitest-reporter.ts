// What `npm test` (build/test.ts) needs to know of a vitest run, as one JSON file: the counts, every skipped test with its
// reason, and every one that failed, or passed only when it was run once more, with its error. Vitest's own JSON reporter leaves the reasons out.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

/** Why a test was skipped, or failed. */
export interface Reason {
  readonly name: string;
  readonly reason: string;
}

export interface PartCounts {
  readonly files: number;
  readonly passed: number;
  readonly failures: readonly Reason[];
  readonly skipped: readonly Reason[];
  /** Passed only when they were run once more: with the error of the first time. They count as passed. */
  readonly again: readonly Reason[];
}

export default class PartReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const file = process.env.MOORING_PART_RESULT;
    if (file !== undefined) writeFileSync(file, JSON.stringify(count(modules, unhandled)));
    if (process.env.MOORING_TEST_COSTS === '1') process.stdout.write(costs(modules));
  }
}

function count(modules: readonly TestModule[], unhandled: readonly SerializedError[]): PartCounts {
  let passed = 0;
  const skipped: Reason[] = [];
  const failures: Reason[] = [];
  const again: Reason[] = [];
  const fail = (name: string, [error]: readonly SerializedError[]): void => {
    failures.push({ name, reason: reasonOf(error) });
  };
  // An error outside of any test, or a file that could not be loaded, is a failure of its own.
  for (const error of unhandled) fail('outside of any test', [error]);
  for (const module of modules) {
    const file = module.relativeModuleId;
    if (module.errors().length > 0) fail(file, module.errors());
    for (const suite of module.children.allSuites())
      if (suite.errors().length > 0) fail(`${file}: ${suite.fullName}`, suite.errors());
    for (const test of module.children.allTests()) {
      const result = test.result();
      const name = `${file}: ${test.fullName}`;
      if (result.state === 'passed') {
        passed += 1;
        if (test.diagnostic()?.flaky === true) again.push({ name, reason: reasonOf(result.errors?.[0]) });
      } else if (result.state === 'skipped') {
        const unreached = module.errors().length > 0 ? 'the set-up of its file failed' : 'no reason given';
        skipped.push({ name, reason: result.note ?? unreached });
      } else fail(name, result.errors ?? []);
    }
  }
  return { files: modules.length, passed, failures, skipped, again };
}

function reasonOf(error: SerializedError | undefined): string {
  const at = error?.stacks?.[0];
  const place = at === undefined ? '' : `at ${path.relative('', at.file)}:${at.line}`;
  const parts = [error?.message ?? 'no error given', place, error?.diff ?? ''];
  return stripVTControlCharacters(parts.join('\n'));
}

/** A line for each file with its processor time, the costliest first. Vitest's own process, which transforms the sources, has one of them. */
function costs(modules: readonly TestModule[]): string {
  const { user, system } = process.cpuUsage();
  const rows = [
    { name: 'the process of vitest', ms: (user + system) / 1000, seconds: Number.NaN },
    ...modules.map((module) => ({
      name: module.relativeModuleId,
      ms: module.meta().processorMs ?? Number.NaN,
      seconds: module.diagnostic().duration / 1000,
    })),
  ].sort((one, other) => other.ms - one.ms);
  const lines = rows.map(
    ({ name, ms, seconds }) =>
      `${(ms / 1000).toFixed(1).padStart(7)} s of processors ${seconds.toFixed(1).padStart(7)} s  ${name}\n`,
  );
  return `\n${lines.join('')}`;
}
