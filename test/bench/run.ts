// `npm run bench [-- NAME ...] [--large] [--files N] [--write] [--compare]`: runs each *.bench.ts in a process of its own and prints
// its table. `--large`: the larger form of a bench. `--files N`: with so many files (mirror-size). `--write`: also writes
// docs/performance.md, whose other sections stay. `--compare`: lists the ratios that are worse than in that file by more than 15 %.
// A bench measures; it never fails a test.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { ForeignLoad } from './machine.ts';
import { type MeasuredBench, missingRatios, performanceDocument, worseRatios } from './performance-table.ts';
import type { RecordedFigure } from './report.ts';

const folder = import.meta.dirname;
const documentFile = path.resolve(folder, '../../docs/performance.md');
const ownFlags = ['--write', '--compare'];
const words = process.argv.slice(2);
const isFlag = (word: string, at: number) => word.startsWith('--') || words[at - 1] === '--files';
const wanted = words.filter((word, at) => !isFlag(word, at));
const flags = words.filter(isFlag);
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.bench.ts'))
  .filter((name) => wanted.length === 0 || wanted.some((word) => name.startsWith(word)))
  .sort();

if (files.length === 0) {
  console.error(`no bench matches ${wanted.join(', ')}; there are: ${readdirSync(folder).join(', ')}`);
  process.exit(2);
}

const scratch = mkdtempSync(path.join(os.tmpdir(), 'mooring-bench-record-'));
const measured: MeasuredBench[] = [];
let failed = 0;
try {
  for (const file of files) {
    const bench = file.replace('.bench.ts', '');
    console.log(`\n== ${bench}`);
    const recordFile = path.join(scratch, `${bench}.jsonl`);
    const foreign = new ForeignLoad();
    if ((await runBench(file, recordFile)) !== 0) failed += 1;
    const machine = foreign.end();
    console.log(`other processes during the run: ${machine}`);
    measured.push({ bench, figures: readRecord(recordFile), machine });
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
if (flags.includes('--compare')) compare();
if (flags.includes('--write')) writeDocument();
process.exit(failed === 0 ? 0 : 1);

async function runBench(file: string, recordFile: string): Promise<number> {
  const bench = spawn(
    process.execPath,
    [path.join(folder, file), ...flags.filter((flag) => !ownFlags.includes(flag))],
    { stdio: ['ignore', 'inherit', 'inherit'], env: { ...process.env, MOORING_BENCH_RECORD: recordFile } },
  );
  return await new Promise((resolve) => bench.once('close', (code) => resolve(code ?? 1)));
}

function readRecord(file: string): readonly RecordedFigure[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').trim().split('\n');
  return lines.map((line) => JSON.parse(line) as RecordedFigure);
}

function compare(): void {
  if (!existsSync(documentFile)) {
    console.log('\nThere is no docs/performance.md to compare with: write it with --write.');
    return;
  }
  const document = readFileSync(documentFile, 'utf8');
  const worse = worseRatios(document, measured);
  console.log(
    worse.length === 0 ? '\nNo ratio is worse than in docs/performance.md.' : `\nWorse:\n${worse.join('\n')}`,
  );
  const missing = missingRatios(document, measured);
  if (missing.length > 0) console.log(`\nNot measured again:\n${missing.join('\n')}`);
}

function writeDocument(): void {
  const git = spawnSync('git', ['rev-parse', '--short', 'HEAD'], { cwd: folder, encoding: 'utf8' });
  const measurement = {
    date: new Date().toISOString().slice(0, 10),
    commit: git.stdout.trim() || 'unknown',
    platform: `${os.type()} ${os.arch()}, ${os.availableParallelism()} processors, Node ${process.versions.node}`,
    benches: measured.filter(({ figures }) => figures.length > 0),
  };
  const before = existsSync(documentFile) ? readFileSync(documentFile, 'utf8') : '';
  const text = performanceDocument(measurement, before);
  writeFileSync(documentFile, text);
  console.log('\nwritten: docs/performance.md');
}
