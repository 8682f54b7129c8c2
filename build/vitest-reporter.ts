// What `npm test` (build/test.ts) needs to know of a vitest run, as one JSON file: the counts, and every skipped
// test with its reason. Vitest's own JSON reporter leaves the reasons out.
import { writeFileSync } from 'node:fs';
import type { Reporter, SerializedError, TestModule } from 'vitest/node';

export interface PartCounts {
  readonly files: number;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: readonly { readonly name: string; readonly reason: string }[];
}

export default class PartReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly SerializedError[]): void {
    const file = process.env.MOORING_PART_RESULT;
    if (file !== undefined) writeFileSync(file, JSON.stringify(count(modules, unhandled.length)));
    if (process.env.MOORING_TEST_COSTS === '1') process.stdout.write(costs(modules));
  }
}

function count(modules: readonly TestModule[], unhandledErrors: number): PartCounts {
  let passed = 0;
  // An error outside of any test, or a file that could not be loaded, is a failure of its own.
  let failed = unhandledErrors;
  const skipped: { name: string; reason: string }[] = [];
  for (const module of modules) {
    if (module.errors().length > 0) failed += 1;
    for (const suite of module.children.allSuites()) if (suite.errors().length > 0) failed += 1;
    for (const test of module.children.allTests()) {
      const result = test.result();
      if (result.state === 'passed') passed += 1;
      else if (result.state === 'skipped') {
        const name = `${module.relativeModuleId}: ${test.fullName}`;
        const unreached = module.errors().length > 0 ? 'the set-up of its file failed' : 'no reason given';
        skipped.push({ name, reason: result.note ?? unreached });
      } else failed += 1;
    }
  }
  return { files: modules.length, passed, failed, skipped };
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
