// The answers of the agents of one test file (or, in the browser's part, of one agent): noted by recorder.ts in a folder, held
// against the documents when a test ends. Needs no test runner.
import {
  appendFileSync,
  closeSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Verdict } from './contract.ts';
import type { RecordedAnswer } from './recorder.ts';
import { recorderOption } from './recorder-file.ts';

/** A fault that is in every answer is told a few times only. */
const toldMax = 10;
/** Where the counts go: build/test.ts says them beside the part. One JSON object a line. */
const countsFile = process.env.MOORING_PART_ANSWERS;

export type AnswerCounts = Record<Verdict['kind'], number>;

export class CheckedAnswers {
  readonly folder = mkdtempSync(path.join(tmpdir(), 'mooring-answers-'));
  readonly #readBytes = new Map<string, number>();
  readonly #counts: AnswerCounts = {
    body: 0,
    type: 0,
    'undocumented route': 0,
    'too long': 0,
    socket: 0,
    wrong: 0,
  };

  get counts(): Readonly<AnswerCounts> {
    return this.#counts;
  }

  /** For the environment of a child process of Node, which then notes its answers. Other options stay. */
  nodeOptions(): { readonly NODE_OPTIONS: string } {
    return { NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} ${recorderOption(this.folder)}`.trim() };
  }

  /** Throws when an answer since the last call is not as the documents describe it, naming each. */
  async verify(): Promise<void> {
    const answers = this.#unread();
    if (answers.length === 0) return;
    // Most test files start no agent, and need no documents.
    const { judge } = await import('./contract.ts');
    const wrong: string[] = [];
    for (const answer of answers) {
      const verdict = judge(answer);
      this.#counts[verdict.kind] += 1;
      if (verdict.kind === 'wrong') wrong.push(verdict.why);
    }
    if (wrong.length === 0) return;
    const told = [...new Set(wrong)].slice(0, toldMax).join('\n');
    throw new Error(`${wrong.length} answers of an agent are not as the API is documented:\n${told}`);
  }

  /** Its counts are told and its folder is gone. */
  end(): void {
    const seen = Object.values(this.#counts).some((count) => count > 0);
    if (countsFile !== undefined && seen) appendFileSync(countsFile, `${JSON.stringify(this.#counts)}\n`);
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 5, retryDelay: 50 });
  }

  #unread(): readonly RecordedAnswer[] {
    return readdirSync(this.folder).flatMap((name) => {
      const text = this.#newLines(path.join(this.folder, name));
      return text === '' ? [] : text.split('\n').map((line) => JSON.parse(line) as RecordedAnswer);
    });
  }

  /** Without the line that a killed process did not finish: nobody got that answer. */
  #newLines(file: string): string {
    const from = this.#readBytes.get(file) ?? 0;
    const bytes = Buffer.alloc(statSync(file).size - from);
    if (bytes.length === 0) return '';
    const opened = openSync(file, 'r');
    readSync(opened, bytes, 0, bytes.length, from);
    closeSync(opened);
    const end = bytes.lastIndexOf('\n');
    this.#readBytes.set(file, from + end + 1);
    return bytes.subarray(0, Math.max(end, 0)).toString('utf8');
  }
}
