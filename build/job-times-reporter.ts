// After the tests in the browser: how long users wait in each job, beside what is claimed (test/ui/jobs).
import type { Reporter, TestCase, TestResult } from '@playwright/test/reporter';

interface Timed {
  readonly step: string;
  readonly tookMs: number;
  readonly claimMs: number;
}

export default class JobTimesReporter implements Reporter {
  readonly #rows: { readonly job: string; readonly timed: readonly Timed[] }[] = [];

  onTestEnd(test: TestCase, result: TestResult): void {
    const timed = result.annotations
      .filter(({ type }) => type === 'time')
      .map(({ description }) => JSON.parse(description ?? '{}') as Timed);
    if (timed.length > 0) this.#rows.push({ job: test.title, timed });
  }

  onEnd(): void {
    if (this.#rows.length === 0) return;
    const collator = new Intl.Collator('en', { numeric: true });
    const lines = this.#rows
      .sort((a, b) => collator.compare(a.job, b.job))
      .flatMap(({ job, timed }) => [
        `  ${job}`,
        ...timed.map(
          ({ step, tookMs, claimMs }) =>
            `    ${step.padEnd(60)}${String(tookMs).padStart(6)} ms  claim ${String(claimMs).padStart(5)} ms${tookMs > claimMs ? '  over' : ''}`,
        ),
      ]);
    process.stdout.write(`\nTimes of the jobs\n${lines.join('\n')}\n`);
  }

  printsToStdio(): boolean {
    return false;
  }
}
