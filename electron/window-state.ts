// Where the window was, and where it may be now: a screen may have gone since. Pure.

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface WindowState extends Rectangle {
  readonly maximized: boolean;
}

export interface WindowPlace {
  readonly width: number;
  readonly height: number;
  /** Absent: the system chooses. */
  readonly x?: number;
  readonly y?: number;
  readonly maximized: boolean;
}

export const windowMin = { width: 900, height: 640 } as const;
const windowDefault = { width: 1180, height: 780 } as const;
/** So much of the title bar must lie on a screen that it can be taken hold of. */
const grip = { width: 120, height: 32 } as const;

/** `workAreas`: what of each screen is free for windows. */
export function placeWindow(saved: WindowState | null, workAreas: readonly Rectangle[]): WindowPlace {
  if (saved === null) return { ...windowDefault, maximized: false };
  const width = Math.max(saved.width, windowMin.width);
  const height = Math.max(saved.height, windowMin.height);
  const area = workAreas.find((one) => {
    const across = Math.min(saved.x + width, one.x + one.width) - Math.max(saved.x, one.x);
    const down = one.y + one.height - saved.y;
    return across >= grip.width && saved.y >= one.y && down >= grip.height;
  });
  if (area === undefined) return { ...windowDefault, maximized: saved.maximized };
  return { x: saved.x, y: saved.y, width, height, maximized: saved.maximized };
}
