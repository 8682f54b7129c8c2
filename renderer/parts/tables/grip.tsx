// The edge of a column or a pane: dragged, moved by 16 px with the arrow keys, fitted by a double click.
import { type KeyboardEvent, type PointerEvent, type ReactElement, useRef } from 'react';

const stepPx = 16;

export interface GripProps {
  /** `Width of Size` */
  readonly label: string;
  readonly minPx: number;
  readonly maxPx: number;
  readonly valuePx: number;
  readonly tabStop?: boolean;
  /** Called while the edge moves; `isDone`: the movement has ended. */
  readonly onResize: (px: number, isDone: boolean) => void;
  readonly onFit: () => void;
}

export function Grip(props: GripProps): ReactElement {
  const { label, minPx, maxPx, valuePx, tabStop = true, onResize, onFit } = props;
  const start = useRef<{ readonly x: number; readonly px: number } | null>(null);
  const within = (px: number): number => Math.min(maxPx, Math.max(minPx, px));
  const at = (event: PointerEvent): number =>
    within((start.current?.px ?? valuePx) + event.clientX - (start.current?.x ?? event.clientX));
  const onKeyDown = (event: KeyboardEvent): void => {
    const step = { ArrowLeft: -stepPx, ArrowRight: stepPx }[event.key];
    if (step !== undefined) onResize(within(valuePx + step), true);
    else if (event.key === 'Home') onResize(minPx, true);
    else if (event.key === 'End') onResize(maxPx, true);
    else if (event.key === 'Enter') onFit();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a separator that moves, not a rule between paragraphs
    <div
      role="separator"
      aria-orientation="vertical"
      aria-label={label}
      aria-valuemin={Math.round(minPx)}
      aria-valuemax={Math.round(maxPx)}
      aria-valuenow={Math.round(valuePx)}
      tabIndex={tabStop ? 0 : -1}
      className="grip"
      onKeyDown={onKeyDown}
      onDoubleClick={onFit}
      onPointerDown={(event) => {
        if (event.button !== 0) return;
        event.preventDefault();
        event.currentTarget.setPointerCapture(event.pointerId);
        start.current = { x: event.clientX, px: valuePx };
      }}
      onPointerMove={(event) => {
        if (start.current !== null) onResize(at(event), false);
      }}
      onPointerUp={(event) => {
        if (start.current !== null && event.clientX !== start.current.x) onResize(at(event), true);
        start.current = null;
      }}
      onPointerCancel={() => {
        start.current = null;
      }}
    />
  );
}
