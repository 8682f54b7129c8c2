// Bounds of the window from the saved state and the present screens. Pure.

export interface Rectangle {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

export interface WindowState extends Rectangle {
  readonly maximized: boolean;
}

export interface WindowBounds {
  readonly width: number;
  readonly height: number;
  /** Absent: the system chooses. */
  readonly x?: number;
  readonly y?: number;
  readonly maximized: boolean;
}

export const windowMin = { width: 900, height: 640 } as const;
const windowDefault = { width: 1180, height: 780 } as const;
/** The part of the title bar that must be on a screen, so that the window can be moved. */
const grip = { width: 120, height: 32 } as const;

/** `workAreas`: the areas of the screens available for windows. */
export function windowBounds(saved: WindowState | null, workAreas: readonly Rectangle[]): WindowBounds {
  if (saved === null) return { ...windowDefault, maximized: false };
  const width = Math.max(saved.width, windowMin.width);
  const height = Math.max(saved.height, windowMin.height);
  const area = workAreas.find((screen) => {
    const visibleWidth = Math.min(saved.x + width, screen.x + screen.width) - Math.max(saved.x, screen.x);
    const heightBelow = screen.y + screen.height - saved.y;
    return visibleWidth >= grip.width && saved.y >= screen.y && heightBelow >= grip.height;
  });
  if (area === undefined) return { ...windowDefault, maximized: saved.maximized };
  return { x: saved.x, y: saved.y, width, height, maximized: saved.maximized };
}
