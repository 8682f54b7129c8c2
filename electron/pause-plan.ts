// Pausing all mirrors for a while: what is offered, and when it ends. Pure; shell.ts carries it out.

/** `untilMs` null: until a person resumes. */
export interface PauseChoice {
  readonly label: string;
  readonly untilMs: number | null;
}

/** A pause that ends by itself; only these mirrors are resumed then, not those that were paused before. */
export interface Pause {
  readonly untilMs: number;
  readonly mirrors: readonly { readonly workspaceId: string; readonly mirrorId: string }[];
}

const hourMs = 3_600_000;
const endOfDayHour = 18;
const morningHour = 8;

/** In the time zone of this computer. The end of the day is offered while it is more than an hour away. */
export function pauseChoices(nowMs: number): readonly PauseChoice[] {
  const evening = atHour(nowMs, 0, endOfDayHour);
  return [
    { label: '1 hour', untilMs: nowMs + hourMs },
    ...(evening - nowMs > hourMs ? [{ label: 'Until 18:00', untilMs: evening }] : []),
    { label: 'Until tomorrow 08:00', untilMs: atHour(nowMs, 1, morningHour) },
    { label: 'Until I resume', untilMs: null },
  ];
}

function atHour(nowMs: number, daysLater: number, hour: number): number {
  const day = new Date(nowMs);
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + daysLater, hour).getTime();
}
