// Panes side by side whose edges can be moved. The widths are remembered per screen; the last pane takes the rest.
import { type CSSProperties, type ReactElement, type RefObject, useEffect, useRef, useState } from 'react';
import { type ColumnWidths, parseWidths } from '../../model/tables/column-layout.ts';
import { Grip } from './grip.tsx';

export interface Pane {
  readonly id: string;
  /** `Width of the list` */
  readonly label: string;
  readonly minPx: number;
}

/** The panes of most screens: a list beside a detail. */
export const listPane: readonly Pane[] = [{ id: 'list', label: 'Width of the list', minPx: 260 }];
export const detailMinPx = 380;

export interface Panes {
  readonly frame: RefObject<HTMLDivElement | null>;
  /** `--pane-<id>` for each width that a person has chosen; the sheet has the widths until then. */
  readonly style: CSSProperties;
  readonly list: readonly Pane[];
  readonly restMinPx: number;
  readonly widths: ColumnWidths;
  /** null: as the sheet has it. */
  readonly set: (id: string, px: number | null) => void;
}

/** `panes` without the last one, which gets at least `restMinPx`; both must be constant. */
export function usePanes(screenId: string, panes: readonly Pane[], restMinPx: number): Panes {
  const storageKey = `mooring.panes.${screenId}`;
  const frame = useRef<HTMLDivElement>(null);
  const [widths, setWidths] = useState<ColumnWidths>(() => parseWidths(localStorage.getItem(storageKey)));
  const others = (id: string): number =>
    panes.filter((each) => each.id !== id).reduce((sum, { minPx }) => sum + minPx, restMinPx);
  return {
    frame,
    style: Object.fromEntries(
      panes.flatMap(({ id, minPx }) => {
        const px = widths[id];
        // A window may be smaller than the one in which the width was chosen.
        return px === undefined
          ? []
          : [[`--pane-${id}`, `max(${minPx}px, min(${px}px, calc(100% - ${others(id)}px)))`]];
      }),
    ) as CSSProperties,
    list: panes,
    restMinPx,
    widths,
    set: (id, px) => {
      const { [id]: _, ...rest } = widths;
      const next = px === null ? rest : { ...rest, [id]: Math.round(px) };
      localStorage.setItem(storageKey, JSON.stringify(next));
      setWidths(next);
    },
  };
}

/** At the left edge of the pane after `id`, inside it: moves the edge between both. */
export function PaneGrip({ panes, id }: { readonly panes: Panes; readonly id: string }): ReactElement | null {
  const marker = useRef<HTMLSpanElement>(null);
  const [sizes, setSizes] = useState({ px: 0, maxPx: 0 });
  const pane = panes.list.find((each) => each.id === id);
  // Not a layout effect: the frame around the panes has its ref only after these.
  useEffect(() => {
    const before = marker.current?.parentElement?.previousElementSibling;
    const frame = panes.frame.current;
    if (!(before instanceof HTMLElement) || frame === null) return;
    const measure = (): void => {
      const px = before.offsetWidth;
      setSizes({ px, maxPx: Math.max(px, px + restOf(before) - panes.restMinPx) });
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(before);
    observer.observe(frame);
    return () => observer.disconnect();
  }, [panes.frame, panes.restMinPx]);
  if (pane === undefined) return null;
  return (
    <>
      <span ref={marker} hidden />
      <Grip
        label={pane.label}
        minPx={pane.minPx}
        maxPx={Math.max(pane.minPx, sizes.maxPx)}
        valuePx={sizes.px}
        onResize={(px, isDone) => {
          // While it moves only the style changes; the screen is rendered when the movement ends.
          panes.frame.current?.style.setProperty(`--pane-${id}`, `${Math.round(px)}px`);
          if (isDone) panes.set(id, px);
        }}
        onFit={() => {
          panes.frame.current?.style.removeProperty(`--pane-${id}`);
          panes.set(id, null);
        }}
      />
    </>
  );
}

/** The room of the panes after it. */
function restOf(pane: Element): number {
  const next = pane.nextElementSibling;
  return next instanceof HTMLElement ? next.offsetWidth : 0;
}
