// One undoable action at a time. `runWithUndo`: it runs after ten seconds, before the next one, or when the page is left, and until then
// nothing is sent. `offerUndo`: it is done, and Undo sends a request that reverses it.
import { type ReactElement, useEffect, useState } from 'react';
import { Observable, useObservable } from '../../api/observable.ts';
import { describeError } from '../../api/services.ts';
import { useKeys } from '../../keys.ts';
import { Button } from '../buttons/button.tsx';
import { announce } from './announcer.tsx';
import { Icon } from './icon.tsx';

const undoMs = 10_000;

export interface Undoable {
  /** `Dismissed env_….` */
  readonly text: string;
  readonly run: () => Promise<unknown>;
  /** Shows the hidden rows again, after Undo or a failed `run`. */
  readonly restore: () => void;
}

type Toast =
  | { readonly kind: 'waiting'; readonly action: Undoable }
  | { readonly kind: 'done'; readonly text: string; readonly undo: () => Promise<void> }
  | { readonly kind: 'failed'; readonly text: string };

const toast = new Observable<Toast | null>(null);
let timer: ReturnType<typeof setTimeout> | undefined;

/** Shows the toast; the caller has hidden the affected rows. */
export function runWithUndo(action: Undoable): void {
  finishNow();
  toast.set({ kind: 'waiting', action });
  announce(`${action.text} Press Ctrl+Z to undo.`);
  timer = setTimeout(finishNow, undoMs);
}

/** For an action that is done. */
export function offerUndo(text: string, reverse: () => Promise<void>): void {
  finishNow();
  toast.set({ kind: 'done', text, undo: reverse });
  announce(`${text} Press Ctrl+Z to undo.`);
  timer = setTimeout(finishNow, undoMs);
}

function undo(): void {
  const current = toast.get();
  clearTimeout(timer);
  toast.set(null);
  if (current?.kind === 'done') {
    current.undo().then(
      () => announce('Undone.'),
      (error: unknown) => fail(`Undo failed. ${describeError(error)}`),
    );
    return;
  }
  if (current?.kind !== 'waiting') return;
  current.action.restore();
  announce('Undone.');
}

function finishNow(): void {
  const current = toast.get();
  clearTimeout(timer);
  toast.set(null);
  if (current?.kind !== 'waiting') return;
  current.action.run().catch((error: unknown) => {
    current.action.restore();
    fail(`${current.action.text.replace(/\.$/, '')}: failed. ${describeError(error)}`);
  });
}

function fail(text: string): void {
  toast.set({ kind: 'failed', text });
  announce(text);
}

export function UndoToast(): ReactElement | null {
  const current = useObservable(toast);
  const canUndo = current?.kind === 'waiting' || current?.kind === 'done';
  useKeys(canUndo ? { 'mod+z': undo } : {});
  useEffect(() => {
    window.addEventListener('pagehide', finishNow);
    return () => window.removeEventListener('pagehide', finishNow);
  }, []);
  if (current === null) return null;
  return (
    <section className="toast" aria-label="Last action">
      <Icon of={current.kind === 'failed' ? 'failed' : 'fine'} small />
      <span className="grow">{current.kind === 'waiting' ? current.action.text : current.text}</span>
      {canUndo ? (
        <Button kind="ghost" shortcut="Ctrl Z" onClick={undo}>
          Undo
        </Button>
      ) : null}
      <Button kind="ghost" icon="close" label="Close" onClick={finishNow} />
    </section>
  );
}

/** Ids that an undoable action has hidden. */
export function useHidden(): {
  readonly hidden: ReadonlySet<string>;
  readonly hide: (id: string) => void;
  readonly show: (id: string) => void;
} {
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set());
  return {
    hidden,
    hide: (id) => setHidden((before) => new Set(before).add(id)),
    show: (id) => setHidden((before) => new Set([...before].filter((each) => each !== id))),
  };
}
