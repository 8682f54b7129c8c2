// The processor time of what a program has started, which a busy machine changes less than the time on the wall.
import { readFileSync } from 'node:fs';

/** Linux counts so for programs, whatever its own clock does. */
const ticksPerSecond = 100;

/**
 * Milliseconds of all processes below this one that have ended. Without what outlived its parent, as parts of a browser do. NaN where the
 * system does not say it.
 */
export function endedChildrenMs(): number {
  if (process.platform !== 'linux') return Number.NaN;
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ');
  const [user, system] = [Number(fields[13]), Number(fields[14])];
  return ((user + system) / ticksPerSecond) * 1000;
}
