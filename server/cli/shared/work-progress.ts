// The progress of a long command as one line: share, rate and time left. The rate is that of the last seconds, so that a slow start or a
// pause does not distort the time left for long.
import { formatBytes, formatCount, Progress } from './output.ts';

export interface Amount {
  readonly done: number;
  /** null: unknown, so there is no time left. */
  readonly total: number | null;
}

export interface WorkProgressOptions {
  /** First word of the line: `Copying`. */
  readonly verb: string;
  readonly unit: 'bytes' | 'files';
  /** Also where stderr is not a terminal: a line now and then. */
  readonly always?: boolean;
}

const shownEveryMs = 500;
/** Lines of a log. */
const loggedEveryMs = 5_000;
/** The rate is measured over this time at most, and says nothing before the second. */
const windowMs = 10_000;
const measuredMsMin = 1_000;
const samplesMax = 64;

export class WorkProgress {
  readonly isShown: boolean;
  readonly #options: WorkProgressOptions;
  readonly #line: Progress;
  readonly #everyMs: number;
  #samples: { readonly atMs: number; readonly done: number }[] = [];
  #shownAtMs = Number.NEGATIVE_INFINITY;

  constructor(options: WorkProgressOptions) {
    this.#options = options;
    this.#line = new Progress(options.always);
    this.isShown = this.#line.isShown;
    this.#everyMs = process.stderr.isTTY ? shownEveryMs : loggedEveryMs;
  }

  /** May be called for every chunk: it prints twice a second on a terminal. */
  update(amount: Amount, nowMs: number = performance.now()): void {
    if (!this.isShown) return;
    if (this.#samples.length === 0) this.#shownAtMs = nowMs;
    const newest = this.#samples.at(-1);
    if (newest === undefined || nowMs - newest.atMs >= windowMs / samplesMax)
      this.#samples.push({ atMs: nowMs, done: amount.done });
    this.#samples = this.#samples.filter(({ atMs }) => nowMs - atMs <= windowMs);
    if (nowMs - this.#shownAtMs < this.#everyMs) return;
    this.#shownAtMs = nowMs;
    this.#line.show(describeWork(amount, this.#rate(amount.done, nowMs), this.#options));
  }

  done(): void {
    this.#line.done();
  }

  /** Units per second. null: not measured yet. */
  #rate(done: number, nowMs: number): number | null {
    const first = this.#samples[0];
    if (first === undefined || nowMs - first.atMs < measuredMsMin) return null;
    return ((done - first.done) / (nowMs - first.atMs)) * 1_000;
  }
}

/** `Copying 120.0 MiB of 388.0 MiB, 30 %, 88.1 MiB/s, about 4 s left`; what is unknown is omitted. */
export function describeWork(
  { done, total }: Amount,
  perSecond: number | null,
  { verb, unit }: Pick<WorkProgressOptions, 'verb' | 'unit'>,
): string {
  const amountOf = (count: number) =>
    unit === 'bytes' ? formatBytes(Math.round(count)) : formatCount(count);
  const noun = unit === 'bytes' ? '' : ' files';
  const rate = perSecond !== null && perSecond > 0 ? perSecond : null;
  const share = total === null || total <= 0 ? null : Math.min(99, Math.floor((done / total) * 100));
  return [
    `${verb} ${amountOf(done)}${total === null ? '' : ` of ${amountOf(total)}`}${noun}`,
    ...(share === null ? [] : [`${share} %`]),
    ...(rate === null ? [] : [`${amountOf(rate)}${noun}/s`]),
    ...(rate === null || total === null ? [] : [`about ${timeLeft(Math.max(0, total - done) / rate)} left`]),
  ].join(', ');
}

/** Rounded up: `8 s`, `2 min`, `3 h`. */
export function timeLeft(seconds: number): string {
  const whole = Math.ceil(seconds);
  if (whole < 60) return `${whole} s`;
  return whole < 3_600 ? `${Math.ceil(whole / 60)} min` : `${Math.ceil(whole / 3_600)} h`;
}
