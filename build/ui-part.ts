// The part `ui` of `npm test`: the tests in a browser, which are installed or asked for first, and their counts.
import { existsSync, globSync, readFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import { findChromium, installChromiumCommand } from './chromium.ts';
import { answersCheckedIn, broken, freshResultFile, node, noted, type Result, root } from './part-run.ts';

const browserDownloadMsMax = 120_000;
const inCi = process.env.CI === 'true';
/** A log file has no colours unless FORCE_COLOR is set. Playwright has a variable of its own for this. */
const plain = !process.stdout.isTTY && process.env.FORCE_COLOR === undefined;
const playwrightColours = plain ? { FORCE_COLOR: '0' } : {};

/** The parts of Playwright's JSON report that are read here. */
interface PlaywrightSuite {
  readonly title: string;
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs?: readonly {
    readonly title: string;
    readonly tests: readonly {
      readonly status: 'expected' | 'unexpected' | 'flaky' | 'skipped';
      readonly annotations: readonly { readonly type: string; readonly description?: string }[];
      readonly results: readonly { readonly errors: readonly { readonly message?: string }[] }[];
    }[];
  }[];
}

export async function playwright(): Promise<Result> {
  const specs = globSync('test/ui/**/*.spec.ts', { cwd: root }).length;
  if (specs === 0) return { passed: 0, failures: [], skipped: [], note: 'there are no tests of this part' };
  if (!(await haveChromium())) {
    const reason = `no Chromium was found; install one with: ${installChromiumCommand}`;
    const missing = { name: `test/ui: ${specs} files`, reason };
    if (inCi) return { passed: 0, failures: [missing], skipped: [] };
    return { passed: 0, failures: [], skipped: [missing] };
  }
  const resultFile = freshResultFile('ui');
  const ran = await node(
    [
      'node_modules/@playwright/test/cli.js',
      'test',
      '--retries=1',
      '--reporter=list,json,./build/job-times-reporter.ts',
    ],
    {
      env: {
        PLAYWRIGHT_JSON_OUTPUT_FILE: resultFile,
        MOORING_PART_ANSWERS: freshResultFile('ui-answers'),
        ...playwrightColours,
      },
    },
  );
  if (!existsSync(resultFile)) return broken('playwright', `ended without a result (exit code ${ran.code})`);
  const report = JSON.parse(readFileSync(resultFile, 'utf8')) as {
    readonly suites: readonly PlaywrightSuite[];
    readonly errors: readonly { readonly message?: string }[];
  };
  const result: Result = {
    passed: 0,
    failures: report.errors.map((error) => ({ name: 'outside of any test', reason: reasonOf([error]) })),
    skipped: [],
  };
  for (const suite of report.suites) countPlaywright(suite, '', result);
  Object.assign(result, noted(answersCheckedIn('ui')));
  if (result.failures.length === 0 && ran.code !== 0)
    result.failures.push({ name: 'playwright', reason: `ended with exit code ${ran.code}` });
  return result;
}

function countPlaywright(suite: PlaywrightSuite, prefix: string, result: Result): void {
  const name = prefix === '' ? suite.title : `${prefix} > ${suite.title}`;
  for (const inner of suite.suites ?? []) countPlaywright(inner, name, result);
  for (const spec of suite.specs ?? []) {
    for (const test of spec.tests) {
      const errors = test.results.flatMap((one) => one.errors);
      if (test.status === 'expected') result.passed += 1;
      else if (test.status === 'skipped') {
        const reason = test.annotations.find(
          (annotation) => annotation.description !== undefined,
        )?.description;
        result.skipped.push({ name: `${name} > ${spec.title}`, reason: reason ?? 'no reason given' });
      } else if (test.status === 'flaky') {
        result.passed += 1;
        const first = { name: `${name} > ${spec.title}`, reason: reasonOf(errors) };
        result.again = [...(result.again ?? []), first];
      } else {
        result.failures.push({ name: `${name} > ${spec.title}`, reason: reasonOf(errors) });
      }
    }
  }
}

function reasonOf([error]: readonly { readonly message?: string }[]): string {
  return stripVTControlCharacters(error?.message ?? 'no error given');
}

async function haveChromium(): Promise<boolean> {
  if (findChromium() !== undefined) return true;
  process.stdout.write(`no Chromium on this system; trying Playwright's download\n`);
  await node(['node_modules/@playwright/test/cli.js', 'install', 'chromium'], {
    quiet: true,
    timeoutMs: browserDownloadMsMax,
  });
  return findChromium() !== undefined;
}
