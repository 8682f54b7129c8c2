// `npm test`: every part of the project's tests, each with its seconds and those of the processors, and at the end one
// line `N passed, N failed, N skipped`. `npm test -- unit flow` runs only the named parts. `--long` (npm run
// test:long) runs the parts that have a longer form, in it.
//
// A part that could not be run at all counts as one failure: silence is never a pass. A test of real processes, disks, folders or a
// browser that failed is run once more: on a busy machine what it starts may take longer than any sensible deadline. It fails when it
// fails again, and is named with its error when not. What checks random inputs or kills at random (property, simulation, a failure that names a
// seed, test/support/run-once.ts) is never run again: its failure is a find.
//
// Three parts run at once, the longest first: each waits for disks, timers and processes for a part of its time, and with two at a
// time a fifth of the processors stood idle.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { checkLint, checkTypes } from './checks-part.ts';
import { answersCheckedIn, broken, freshResultFile, node, noted, type Result } from './part-run.ts';
import { noPostgres } from './postgres.ts';
import { endedChildrenMs } from './processor-seconds.ts';
import { testProcesses } from './test-processes.ts';
import { playwright } from './ui-part.ts';
import type { PartCounts, Reason } from './vitest-reporter.ts';

/** A log file has no colours unless FORCE_COLOR is set. */
const plain = !process.stdout.isTTY && process.env.FORCE_COLOR === undefined;
const vitestColours = plain ? { NO_COLOR: '1' } : {};
/** Of a process that this one started: where it writes its rows, in place of printing them. */
const rowsFile = process.env.MOORING_PART_ROWS;

const allBegun = performance.now();

interface Part {
  readonly name: string;
  readonly run: () => Promise<Result>;
  /** Has a longer form, which `MOORING_TEST_LONG=1` switches on. */
  readonly long?: true;
}

/** A part that has run. */
interface Row {
  readonly name: string;
  /** After the start of all parts. */
  readonly beginsAtSeconds: number;
  readonly seconds: number;
  /** Null where the system does not say it. */
  readonly processorSeconds: number | null;
  readonly result: Result;
}

const parts: readonly Part[] = [
  { name: 'types', run: checkTypes },
  { name: 'lint', run: checkLint },
  { name: 'imports', run: () => vitest('imports') },
  { name: 'unit', run: () => vitest('unit'), long: true },
  { name: 'property', run: () => vitest('property'), long: true },
  { name: 'simulation', run: () => vitest('simulation'), long: true },
  { name: 'contract', run: () => vitest('contract') },
  { name: 'flow', run: () => vitest('flow'), long: true },
  { name: 'hub', run: () => vitest('hub'), long: true },
  { name: 'engines', run: onPostgres, long: true },
  { name: 'clients', run: () => vitest('clients') },
  { name: 'packaging', run: () => vitest('packaging') },
  { name: 'ui', run: playwright, long: true },
];

/** Before all others: what they find makes the others useless. */
const first: readonly string[] = ['types', 'lint', 'imports'];
/** The parts that take longest, in the order in which they begin; the others follow. */
const longest: readonly string[] = ['flow', 'ui', 'unit', 'engines'];
/** Their failures come from an input, with its seed, and not from the machine. */
const runOnce: readonly string[] = [...first, 'property', 'simulation'];
const partsAtOnce = 3;
const reasonLinesMax = 10;
const reasonLineCharsMax = 200;

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
        MOORING_TEST_AGAIN: runOnce.includes(project) ? '0' : '1',
        MOORING_PART_RESULT: resultFile,
        MOORING_PART_ANSWERS: freshResultFile(`${project}-answers`),
        ...vitestColours,
      },
    },
  );
  if (!existsSync(resultFile))
    return broken(project, `vitest ended without a result (exit code ${ran.code})`);
  const counts = JSON.parse(readFileSync(resultFile, 'utf8')) as PartCounts;
  // Vitest also fails for reasons that no test carries.
  const unsaid =
    counts.failures.length === 0 && ran.code !== 0
      ? [{ name: project, reason: `vitest ended with exit code ${ran.code}` }]
      : [];
  return {
    passed: counts.passed,
    failures: [...counts.failures, ...unsaid],
    skipped: [...counts.skipped],
    again: [...counts.again],
    ...noted(counts.files === 0 ? 'there are no tests of this part' : answersCheckedIn(project)),
  };
}

/** Tests of the store and of the API that `npm test` runs on SQLite in other parts, on PostgreSQL. */
async function onPostgres(): Promise<Result> {
  if (noPostgres === null) return await vitest('engines');
  return {
    passed: 0,
    failures: [],
    skipped: [{ name: 'the store and the API on PostgreSQL', reason: noPostgres }],
  };
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

/** Runs the parts: a single one here, several in processes of their own. */
async function runParts(chosen: readonly Part[]): Promise<Row[]> {
  const rows: Row[] = [];
  const others = chosen.filter(({ name }) => !first.includes(name));
  for (const some of [chosen.filter(({ name }) => first.includes(name)), others]) {
    // Each part would build them.
    if (some === others && some.length > 1) testProcesses();
    if (some.length > 1) rows.push(...(await sideBySide(some)));
    else for (const part of some) rows.push(await runPart(part));
  }
  return rows;
}

async function runPart(part: Part): Promise<Row> {
  process.stdout.write(`\n== ${part.name}\n`);
  const begun = performance.now();
  const processorMsBegun = endedChildrenMs();
  const result = await part.run();
  const ofProcessors = (endedChildrenMs() - processorMsBegun) / 1000;
  return {
    name: part.name,
    beginsAtSeconds: (begun - allBegun) / 1000,
    seconds: secondsSince(begun),
    processorSeconds: Number.isNaN(ofProcessors) ? null : ofProcessors,
    result,
  };
}

/** Several parts at a time. The output of one at a time goes through, that of the others is printed when they end. */
async function sideBySide(chosen: readonly Part[]): Promise<Row[]> {
  const queue = [
    ...chosen.filter(({ name }) => longest.includes(name)).sort((a, b) => turn(a) - turn(b)),
    ...chosen.filter(({ name }) => !longest.includes(name)),
  ];
  const rows: Row[] = [];
  const runQueue = async (output: { readonly quiet?: true }): Promise<void> => {
    for (let part = queue.shift(); part !== undefined; part = queue.shift())
      rows.push(await partProcess(part, output));
  };
  const quiet = Array.from({ length: partsAtOnce - 1 }, () => runQueue({ quiet: true }));
  await Promise.all([...quiet, runQueue({})]);
  return chosen.flatMap(({ name }) => rows.filter((row) => row.name === name));
}

function turn({ name }: Part): number {
  return longest.indexOf(name);
}

async function partProcess({ name }: Part, output: { readonly quiet?: true }): Promise<Row> {
  const file = freshResultFile(`${name}-rows`);
  const beginsAtSeconds = secondsSince(allBegun);
  if (output.quiet) process.stdout.write(`\n== ${name}: begins, its output follows at its end\n`);
  // What takes longest would wait for its turn at the processors, and run on alone in the end.
  const priority = name === longest[0] ? {} : { priority: constants.priority.PRIORITY_BELOW_NORMAL };
  const ran = await node(['build/test.ts', name], {
    ...output,
    ...priority,
    env: { MOORING_PART_ROWS: file },
  });
  process.stdout.write(ran.output);
  const [row] = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Row[]) : [];
  const result = broken(name, `its process ended without a result (exit code ${ran.code})`);
  return { ...(row ?? { name, seconds: 0, processorSeconds: null, result }), beginsAtSeconds };
}

function printed(row: Row): string {
  const { passed, failures, skipped, again = [], note } = row.result;
  const counts = `${passed} passed, ${failures.length} failed, ${skipped.length} skipped`;
  const ofProcessors = row.processorSeconds?.toFixed(0) ?? '-';
  const begins = `from ${row.beginsAtSeconds.toFixed(0).padStart(4)} s`;
  const times = `${row.seconds.toFixed(1).padStart(7)} s ${begins}${ofProcessors.padStart(5)} s of processors`;
  const notes = [
    ...(again.length === 0 ? [] : [`${again.length} of them only when run once more`]),
    ...(note === undefined ? [] : [note]),
  ];
  return `  ${row.name.padEnd(10)}${times}  ${counts}${notes.length === 0 ? '' : `  (${notes.join('; ')})`}`;
}

function printTotal(rows: readonly Row[], seconds: number): void {
  const results = rows.map((row) => row.result);
  const skipped = results.flatMap((result) => result.skipped);
  if (skipped.length > 0) process.stdout.write(`\nSkipped:\n${skipped.map(withReason).join('')}`);
  const again = results.flatMap((result) => result.again ?? []);
  if (again.length > 0)
    process.stdout.write(`\nPassed only when run once more, to be fixed:\n${again.map(withReason).join('')}`);
  const table = rows.map(printed).join('\n');
  process.stdout.write(`\n${table}\n  ${'together'.padEnd(10)}${seconds.toFixed(1).padStart(7)} s\n\n`);
  const failures = results.flatMap((result) => result.failures);
  if (failures.length > 0) process.stdout.write(`Failed:\n${failures.map(withReason).join('')}\n`);
  const passed = sum(results.map((one) => one.passed));
  process.stdout.write(`${passed} passed, ${failures.length} failed, ${skipped.length} skipped\n`);
}

/** The first lines of the reason; the output of the part contains all of it. */
function withReason({ name, reason }: Reason): string {
  const lines = reason.split('\n').filter((line) => line.trim() !== '');
  const begin = lines.slice(0, reasonLinesMax).map((line) => `    ${line.slice(0, reasonLineCharsMax)}\n`);
  return `  ${name}\n${begin.join('')}`;
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}

function secondsSince(begun: number): number {
  return (performance.now() - begun) / 1000;
}

const rows = await runParts(chosenParts(process.argv.slice(2)));
if (rowsFile === undefined) printTotal(rows, secondsSince(allBegun));
else writeFileSync(rowsFile, JSON.stringify(rows));
process.exitCode = rows.some((row) => row.result.failures.length > 0) ? 1 : 0;
