// `npm test`: every part of the project's tests, one after the other, each with its seconds and those of the processors, and at the end one
// line `N passed, N failed, N skipped`. `npm test -- unit flow` runs only the named parts. `--long` (npm run
// test:long) runs the parts that have a longer form, in it.
//
// A part that could not be run at all counts as one failure: silence is never a pass. Only a test in the browser that failed
// is run once more, as a browser on a busy machine is not in our hands: it fails when it fails again, and is named when not.
import { spawn } from 'node:child_process';
import { existsSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { answersChecked } from './answers-checked.ts';
import { findChromium, installChromiumCommand } from './chromium.ts';
import { processorSeconds } from './processor-seconds.ts';
import type { PartCounts } from './vitest-reporter.ts';

const root = path.resolve(import.meta.dirname, '..');
const resultFolder = path.join(root, 'node_modules/.cache/mooring-test');
const typesFolder = path.join(root, 'node_modules/.cache/mooring-types');
const browserDownloadMsMax = 120_000;
const inCi = process.env.CI === 'true';
/** A log file has no colours unless FORCE_COLOR is set. Playwright has a variable of its own for this. */
const plain = !process.stdout.isTTY && process.env.FORCE_COLOR === undefined;
const vitestColours = plain ? { NO_COLOR: '1' } : {};
const playwrightColours = plain ? { FORCE_COLOR: '0' } : {};

type Skip = PartCounts['skipped'][number];

interface Result {
  passed: number;
  failed: number;
  skipped: Skip[];
  /** Names of tests that passed only when they were run once more; they count as passed. */
  again?: string[];
  /** Printed beside the seconds. */
  note?: string;
}

interface Part {
  readonly name: string;
  readonly run: () => Promise<Result>;
  /** Has a longer form, which `MOORING_TEST_LONG=1` switches on. */
  readonly long?: true;
}

const layers = ['core', 'server', 'electron', 'renderer', 'test'];

const parts: readonly Part[] = [
  { name: 'types', run: checkTypes },
  { name: 'lint', run: checkLint },
  { name: 'imports', run: () => vitest('imports') },
  { name: 'unit', run: () => vitest('unit') },
  { name: 'property', run: () => vitest('property'), long: true },
  { name: 'simulation', run: () => vitest('simulation'), long: true },
  { name: 'contract', run: () => vitest('contract') },
  { name: 'flow', run: () => vitest('flow'), long: true },
  { name: 'clients', run: () => vitest('clients') },
  { name: 'packaging', run: () => vitest('packaging') },
  { name: 'ui', run: playwright },
];

async function checkTypes(): Promise<Result> {
  const compiler = 'node_modules/typescript/bin/tsc';
  return await checks(
    layers.map((layer) => {
      const known = path.join(typesFolder, `${layer}.tsbuildinfo`);
      // What was found in files that did not change is not found out again.
      const incremental = ['--incremental', '--tsBuildInfoFile', known];
      return {
        name: `types of ${layer}`,
        args: [compiler, '-p', `build/tsconfig.${layer}.json`, ...incremental],
      };
    }),
  );
}

async function checkLint(): Promise<Result> {
  const biome = 'node_modules/@biomejs/biome/bin/biome';
  return await checks([
    { name: 'biome', args: [biome, 'check', '--error-on-warnings', '--max-diagnostics=50', '.'] },
    { name: 'knip', args: ['node_modules/knip/bin/knip.js', '--no-progress'] },
  ]);
}

/** Runs the commands to their end, as many at once as there are processors; prints the output of those that fail. */
async function checks(commands: readonly { name: string; args: readonly string[] }[]): Promise<Result> {
  const result: Result = { passed: 0, failed: 0, skipped: [] };
  const waiting = [...commands];
  const runWaiting = async () => {
    for (let command = waiting.shift(); command !== undefined; command = waiting.shift()) {
      const ran = await node(command.args, { quiet: true });
      if (ran.code === 0) result.passed += 1;
      else {
        result.failed += 1;
        process.stdout.write(`${ran.output.trimEnd()}\nFAILED ${command.name}\n`);
      }
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, runWaiting));
  return result;
}

async function vitest(project: string): Promise<Result> {
  const resultFile = freshResultFile(project);
  const ran = await node(
    [
      'node_modules/vitest/vitest.mjs',
      'run',
      `--project=${project}`,
      '--passWithNoTests',
      '--reporter=default',
      '--reporter=./build/vitest-reporter.ts',
    ],
    {
      env: {
        MOORING_PART_RESULT: resultFile,
        MOORING_PART_ANSWERS: freshResultFile(`${project}-answers`),
        ...vitestColours,
      },
    },
  );
  if (!existsSync(resultFile)) return broken('vitest ended without a result', ran.code);
  const counts = JSON.parse(readFileSync(resultFile, 'utf8')) as PartCounts;
  // Vitest also fails for reasons that no test carries.
  const failed = counts.failed === 0 && ran.code !== 0 ? 1 : counts.failed;
  return {
    passed: counts.passed,
    failed,
    skipped: [...counts.skipped],
    ...noted(counts.files === 0 ? 'there are no tests of this part' : answersCheckedIn(project)),
  };
}

/** The parts of Playwright's JSON report that are read here. */
interface PlaywrightSuite {
  readonly title: string;
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs?: readonly {
    readonly title: string;
    readonly tests: readonly {
      readonly status: 'expected' | 'unexpected' | 'flaky' | 'skipped';
      readonly annotations: readonly { readonly type: string; readonly description?: string }[];
    }[];
  }[];
}

async function playwright(): Promise<Result> {
  const specs = globSync('test/ui/**/*.spec.ts', { cwd: root }).length;
  if (specs === 0) return { passed: 0, failed: 0, skipped: [], note: 'there are no tests of this part' };
  if (!(await haveChromium())) {
    const reason = `no Chromium was found; install one with: ${installChromiumCommand}`;
    if (inCi) return { passed: 0, failed: 1, skipped: [], note: reason };
    return { passed: 0, failed: 0, skipped: [{ name: `test/ui: ${specs} files`, reason }] };
  }
  const resultFile = freshResultFile('ui');
  const ran = await node(
    ['node_modules/@playwright/test/cli.js', 'test', '--retries=1', '--reporter=list,json'],
    {
      env: {
        PLAYWRIGHT_JSON_OUTPUT_FILE: resultFile,
        MOORING_PART_ANSWERS: freshResultFile('ui-answers'),
        ...playwrightColours,
      },
    },
  );
  if (!existsSync(resultFile)) return broken('playwright ended without a result', ran.code);
  const report = JSON.parse(readFileSync(resultFile, 'utf8')) as {
    readonly suites: readonly PlaywrightSuite[];
    readonly errors: readonly unknown[];
  };
  const result: Result = { passed: 0, failed: report.errors.length, skipped: [] };
  for (const suite of report.suites) countPlaywright(suite, '', result);
  const again = result.again && `${result.again.length} of them only when run once more`;
  const note = [again, answersCheckedIn('ui')].filter((one) => one !== undefined).join('; ');
  if (note !== '') result.note = note;
  if (result.failed === 0 && ran.code !== 0) result.failed = 1;
  return result;
}

function countPlaywright(suite: PlaywrightSuite, prefix: string, result: Result): void {
  const name = prefix === '' ? suite.title : `${prefix} > ${suite.title}`;
  for (const inner of suite.suites ?? []) countPlaywright(inner, name, result);
  for (const spec of suite.specs ?? []) {
    for (const test of spec.tests) {
      if (test.status === 'expected') result.passed += 1;
      else if (test.status === 'skipped') {
        const reason = test.annotations.find(
          (annotation) => annotation.description !== undefined,
        )?.description;
        result.skipped.push({ name: `${name} > ${spec.title}`, reason: reason ?? 'no reason given' });
      } else if (test.status === 'flaky') {
        result.passed += 1;
        result.again = [...(result.again ?? []), `${name} > ${spec.title}`];
      } else result.failed += 1;
    }
  }
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

interface RunOptions {
  readonly quiet?: true;
  readonly env?: Readonly<Record<string, string>>;
  readonly timeoutMs?: number;
}

/** Runs a script under this Node; its output goes through to ours, or with `quiet` is returned. */
async function node(
  args: readonly string[],
  options: RunOptions = {},
): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', options.quiet ? 'pipe' : 'inherit', options.quiet ? 'pipe' : 'inherit'],
    ...(options.timeoutMs === undefined ? {} : { timeout: options.timeoutMs }),
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream?.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  return await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code: code ?? 1, output }));
  });
}

function answersCheckedIn(part: string): string | undefined {
  return answersChecked(path.join(resultFolder, `${part}-answers.json`));
}

function noted(note: string | undefined): { readonly note?: string } {
  return note === undefined ? {} : { note };
}

function freshResultFile(name: string): string {
  mkdirSync(resultFolder, { recursive: true });
  const file = path.join(resultFolder, `${name}.json`);
  rmSync(file, { force: true });
  return file;
}

function broken(what: string, code: number): Result {
  return { passed: 0, failed: 1, skipped: [], note: `${what} (exit code ${code})` };
}

function chosenParts(args: readonly string[]): readonly Part[] {
  const long = args.includes('--long');
  const names = args.filter((arg) => arg !== '--long');
  const unknown = names.filter((name) => !parts.some((part) => part.name === name));
  if (unknown.length > 0) {
    const known = parts.map((part) => part.name).join(', ');
    process.stderr.write(`There is no part named ${unknown.join(', ')}. The parts are: ${known}.\n`);
    process.exit(2);
  }
  if (long) process.env.MOORING_TEST_LONG = '1';
  return parts.filter((part) => (names.length === 0 ? !long || part.long : names.includes(part.name)));
}

const total = { passed: 0, failed: 0, skipped: [] as Skip[], again: [] as string[] };
const table: string[] = [];
const begun = performance.now();
for (const part of chosenParts(process.argv.slice(2))) {
  process.stdout.write(`\n== ${part.name}\n`);
  const partBegun = performance.now();
  const processorBegun = processorSeconds();
  const result = await part.run();
  total.passed += result.passed;
  total.failed += result.failed;
  total.skipped.push(...result.skipped);
  total.again.push(...(result.again ?? []));
  const counts = `${result.passed} passed, ${result.failed} failed, ${result.skipped.length} skipped`;
  const note = result.note === undefined ? '' : `  (${result.note})`;
  const processors = `${(processorSeconds() - processorBegun).toFixed(0).padStart(5)} s of processors`;
  table.push(`  ${part.name.padEnd(10)}${seconds(partBegun).padStart(7)} s${processors}  ${counts}${note}`);
}

const skips = total.skipped.map((skip) => `  ${skip.name}\n    ${skip.reason}\n`);
if (skips.length > 0) process.stdout.write(`\nSkipped:\n${skips.join('')}`);
const again = total.again.map((name) => `  ${name}\n`);
if (again.length > 0)
  process.stdout.write(`\nPassed only when run once more, to be fixed:\n${again.join('')}`);
process.stdout.write(`\n${table.join('\n')}\n  ${'together'.padEnd(10)}${seconds(begun).padStart(7)} s\n\n`);
process.stdout.write(`${total.passed} passed, ${total.failed} failed, ${total.skipped.length} skipped\n`);
process.exitCode = total.failed > 0 ? 1 : 0;

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1);
}
