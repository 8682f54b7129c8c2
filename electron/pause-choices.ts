// The durations of a pause of all mirrors. Pure.

/** `untilMs` null: until resumed. */
export interface PauseChoice {
  readonly label: string;
  readonly untilMs: number | null;
}

const hourMs = 3_600_000;
const endOfDayHour = 18;
const morningHour = 8;

/** In local time. 18:00 is offered while it is more than an hour away. */
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
