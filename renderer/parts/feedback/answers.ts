// The answers to what a person did: one is shown at a time, the last ten are kept, and one action at a time can be undone. Pure state and
// timers; answer-line.tsx shows them, announcer.tsx speaks them.
import { Observable } from '../../api/observable.ts';
import { describeError } from '../../api/services.ts';

/** How long an answer is shown, and how long its action can be undone with a key. */
const answerMs = 8_000;
const keptMax = 10;
/** At least this long after the pointer has left. */
const shownAgainMs = 2_000;

export interface Answer {
  readonly number: number;
  /** `begun` stays until the answer that follows it. */
  readonly kind: 'begun' | 'done' | 'failed';
  readonly text: string;
  readonly atMs: number;
}

export interface Answers {
  readonly shown: Answer | null;
  /** When the shown one leaves; null: it stays until it is closed. */
  readonly untilMs: number | null;
  /** Of what has ended, newest first, with the shown one. */
  readonly last: readonly Answer[];
  /** The number of the answer whose action can be undone now. */
  readonly undoable: number | null;
  /** Actions that are not done yet, and can be undone then. */
  readonly underWay: number;
}

export interface Undoable {
  /** `Dismissed /a.md.` */
  readonly text: string;
  readonly run: () => Promise<unknown>;
  /** Shows the hidden rows again, after Undo or a failed `run`. */
  readonly restore: () => void;
}

/** What Undo does, and what happens when it is not pressed. */
interface Pending {
  readonly number: number;
  /** undefined: it is undone at once. */
  readonly undo: () => Promise<void> | undefined;
  readonly finish: () => void;
}

export const answers = new Observable<Answers>({
  shown: null,
  untilMs: null,
  last: [],
  undoable: null,
  underWay: 0,
});
let pending: Pending | null = null;
let undoIsAsked = false;
let timer: ReturnType<typeof setTimeout> | undefined;
let number = 0;

/** The result of an action, named as a sentence with a path or a name, never with an id. */
export function announce(text: string): void {
  show('done', text);
}

/** It stays until it is closed or another answer follows. */
export function announceFailure(text: string): void {
  show('failed', text);
}

/** Runs when the time for Undo has passed, before the next such action, or when the page is left; the caller has hidden its rows. */
export function runWithUndo(action: Undoable): void {
  offer(action.text, {
    undo: () => {
      action.restore();
      return undefined;
    },
    finish: () => {
      action.run().catch((error: unknown) => {
        action.restore();
        announceFailure(`${action.text.replace(/\.$/, '')}: failed. ${describeError(error)}`);
      });
    },
  });
}

/** For an action that is done. */
export function offerUndo(text: string, reverse: () => Promise<void>): void {
  offer(text, { undo: reverse, finish: () => undefined });
}

/** `action` calls `offerUndo`, or throws. Undo that is pressed before it is done acts on it, and not on the action before. */
export async function withUndo(action: () => Promise<void>): Promise<void> {
  set({ underWay: answers.get().underWay + 1 });
  let isDone = false;
  try {
    await action();
    isDone = true;
  } finally {
    set({ underWay: answers.get().underWay - 1 });
    const isUndone = undoIsAsked && isDone;
    undoIsAsked = false;
    if (isUndone) undo();
  }
}

export function undo(): void {
  if (answers.get().underWay > 0) {
    undoIsAsked = true;
    return;
  }
  const action = pending;
  if (action === null) return;
  pending = null;
  set({ undoable: null });
  const reversal = action.undo();
  if (reversal === undefined) {
    announce('Undone.');
    return;
  }
  show('begun', 'Undoing…');
  reversal.then(
    () => announce('Undone.'),
    (error: unknown) => announceFailure(`Undo failed. ${describeError(error)}`),
  );
}

/** Ends the time for Undo. */
export function finishNow(): void {
  const action = pending;
  pending = null;
  set({ undoable: null });
  action?.finish();
}

/** Closes the line. What can be undone is final then. */
export function close(): void {
  clearTimeout(timer);
  set({ shown: null, untilMs: null });
  finishNow();
}

/** While the pointer or the focus is on the line, its time does not pass. */
export function hold(isHeld: boolean): void {
  const { shown, untilMs } = answers.get();
  if (shown === null || shown.kind !== 'done') return;
  clearTimeout(timer);
  if (isHeld) set({ untilMs: null });
  else if (untilMs === null) leaveAfter(shownAgainMs);
}

function offer(text: string, action: Omit<Pending, 'number'>): void {
  finishNow();
  show('done', text);
  pending = { ...action, number };
  set({ undoable: number });
}

function show(kind: Answer['kind'], text: string): void {
  number += 1;
  const shown: Answer = { number, kind, text, atMs: Date.now() };
  clearTimeout(timer);
  const { last } = answers.get();
  set({ shown, untilMs: null, last: kind === 'begun' ? last : [shown, ...last].slice(0, keptMax) });
  if (kind === 'done') leaveAfter(answerMs);
  // An action whose answer was replaced keeps its time.
  else if (pending !== null) timer = setTimeout(finishNow, answerMs);
}

function leaveAfter(ms: number): void {
  set({ untilMs: Date.now() + ms });
  timer = setTimeout(close, ms);
}

function set(change: Partial<Answers>): void {
  answers.set({ ...answers.get(), ...change });
}
