// A date and time that is typed: arrows change the part at the caret.
import { type HTMLAttributes, type ReactElement, useLayoutEffect, useRef } from 'react';
import { stepped } from '../../model/files/point-in-time.ts';

export function TimeInput({
  wiring,
  value,
  onChange,
}: {
  readonly wiring: Pick<HTMLAttributes<HTMLElement>, 'id' | 'aria-describedby' | 'aria-invalid'>;
  readonly value: string;
  readonly onChange: (value: string) => void;
}): ReactElement {
  const input = useRef<HTMLInputElement>(null);
  /** Where the caret was before an arrow replaced the text. */
  const caret = useRef<number | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new text moves the caret
  useLayoutEffect(() => {
    if (caret.current === null) return;
    input.current?.setSelectionRange(caret.current, caret.current);
    caret.current = null;
  }, [value]);
  return (
    <input
      {...wiring}
      ref={input}
      className="input mono time-input"
      placeholder="2026-11-20 12:30"
      spellCheck={false}
      autoComplete="off"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        if (event.key !== 'ArrowUp' && event.key !== 'ArrowDown') return;
        const at = event.currentTarget.selectionStart ?? 0;
        const next = stepped(value, at, event.key === 'ArrowUp' ? 1 : -1, Date.now());
        event.preventDefault();
        if (next === null) return;
        caret.current = at;
        onChange(next);
      }}
    />
  );
}
