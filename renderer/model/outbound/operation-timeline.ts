// Maps the steps of an operation to bars of a timeline. Pure.
import type { OperationStep, OperationSteps } from '../../../server/contract/operations.ts';
import type { StatusKind } from '../mirror/mirror-view.ts';

/** `moment`: no duration; `work`: an attempt is running; `wait`: queued or backing off. */
export type BarKind = 'moment' | 'work' | 'wait' | 'failed' | 'ok';

export interface Bar {
  readonly key: string;
  readonly label: string;
  readonly kind: BarKind;
  readonly status: StatusKind;
  readonly fromMs: number;
  readonly toMs: number;
  /** The message of the step, or ''. */
  readonly note: string;
}

export interface Timeline {
  readonly fromMs: number;
  readonly toMs: number;
  readonly bars: readonly Bar[];
  /** Number of older bars that are not shown. */
  readonly hidden: number;
}

const barsMax = 24;

export function timelineOf(
  { steps, status }: Pick<OperationSteps, 'steps' | 'status'>,
  nowMs: number,
): Timeline {
  const all: Bar[] = [];
  for (const [index, step] of steps.entries()) {
    all.push(barOf(step, index, nowMs));
    const queued = queuedAfter(step, steps[index + 1], index, status, nowMs);
    if (queued !== null) all.push(queued);
  }
  const bars = all.slice(-barsMax);
  const fromMs = Math.min(...bars.map((bar) => bar.fromMs), nowMs);
  const toMs = Math.max(...bars.map((bar) => bar.toMs), fromMs + 1);
  return { fromMs, toMs, bars, hidden: all.length - bars.length };
}

/** Left edge and width of a bar, in percent. */
export function shareOf(
  bar: Bar,
  { fromMs, toMs }: Timeline,
): { readonly left: number; readonly width: number } {
  const whole = toMs - fromMs;
  return { left: ((bar.fromMs - fromMs) / whole) * 100, width: ((bar.toMs - bar.fromMs) / whole) * 100 };
}

/** `4 ms`, `0.6 s`, `13.6 s`, `2 min 5 s` */
export function span(ms: number): string {
  if (ms < 100) return `${Math.round(ms)} ms`;
  if (ms < 60_000) return `${(ms / 1000).toFixed(1)} s`;
  if (ms < 3_600_000) return `${Math.floor(ms / 60_000)} min ${Math.round((ms % 60_000) / 1000)} s`;
  return `${Math.floor(ms / 3_600_000)} h ${Math.round((ms % 3_600_000) / 60_000)} min`;
}

/** The wait in the queue before the next attempt. */
function queuedAfter(
  step: OperationStep,
  next: OperationStep | undefined,
  index: number,
  status: OperationSteps['status'],
  nowMs: number,
): Bar | null {
  if (step.kind !== 'written' && step.kind !== 'replayed' && step.kind !== 'hastened') return null;
  const waits = next === undefined && (status === 'pending' || status === 'running');
  if (next?.kind !== 'attempt' && next?.kind !== 'acknowledged' && next?.kind !== 'canceled' && !waits)
    return null;
  const fromMs = Date.parse(step.at);
  const toMs = Math.max(next === undefined ? nowMs : Date.parse(next.at), fromMs);
  return { key: `queued ${index}`, label: 'Queued', kind: 'wait', status: 'waiting', fromMs, toMs, note: '' };
}

function barOf(step: OperationStep, index: number, nowMs: number): Bar {
  const fromMs = Date.parse(step.at);
  const running = step.kind === 'attempt' && step.endedAt === undefined && step.outcome === undefined;
  const toMs = Math.max(
    step.endedAt === undefined ? (running ? nowMs : fromMs) : Date.parse(step.endedAt),
    fromMs,
  );
  const base = { key: `${step.kind} ${index}`, fromMs, toMs, note: step.message ?? '' };
  switch (step.kind) {
    case 'written':
      return { ...base, label: 'Written', kind: 'moment', status: 'active' };
    case 'attempt':
      return { ...base, ...attemptLabel(step) };
    case 'waiting':
      return { ...base, label: 'Wait', kind: 'wait', status: 'waiting' };
    case 'acknowledged':
      return { ...base, label: 'Acknowledged', kind: 'ok', status: 'ok' };
    case 'replayed':
      return { ...base, label: 'Replayed', kind: 'moment', status: 'active' };
    case 'hastened':
      return { ...base, label: 'Send now', kind: 'moment', status: 'active' };
    case 'canceled':
      return { ...base, label: 'Canceled', kind: 'moment', status: 'paused' };
    case 'superseded':
      return {
        ...base,
        label: 'Superseded',
        kind: 'moment',
        status: 'paused',
        note: `Included in ${step.message ?? ''}`,
      };
    case 'settled':
      return { ...base, ...outcomeLabel(step.outcome) };
  }
}

function attemptLabel({
  attempt,
  outcome,
  httpStatus,
}: OperationStep): Pick<Bar, 'label' | 'kind' | 'status'> {
  const name = `Attempt ${attempt ?? ''}`.trim();
  if (outcome === undefined) return { label: name, kind: 'work', status: 'active' };
  if (outcome === 'delivered') return { label: `${name}: sent`, kind: 'ok', status: 'ok' };
  return { label: `${name}: ${httpStatus ?? outcome}`, kind: 'failed', status: 'failed' };
}

function outcomeLabel(outcome: string | undefined): Pick<Bar, 'label' | 'kind' | 'status'> {
  if (outcome === 'dead_lettered') return { label: 'Dead-lettered', kind: 'failed', status: 'failed' };
  if (outcome === 'canceled') return { label: 'Canceled', kind: 'moment', status: 'paused' };
  return { label: 'Succeeded', kind: 'ok', status: 'ok' };
}
