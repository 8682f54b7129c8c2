// Times in requests.

/** An RFC 3339 time for a Date. Text is sent unchanged. */
export function timeText<T extends string | undefined>(time: T | Date): T | string {
  return time instanceof Date ? time.toISOString() : time;
}
