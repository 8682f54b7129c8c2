// Output of names with control characters, and colours.
import { afterEach, expect, it, vi } from 'vitest';
import {
  formatTime,
  formatTimeOfDay,
  hasColor,
  paint,
  setDisplay,
} from '../../../server/cli/shared/display.ts';
import { visible } from '../../../server/cli/shared/output.ts';

const terminal = { isTTY: true };

afterEach(() => {
  vi.unstubAllEnvs();
  setDisplay({});
});

it('prints an escape sequence in a name as text', () => {
  expect(visible('/a/\u001b[31mred\u009b2J\u0007\r\n\tend')).toBe(
    '/a/\\u001b[31mred\\u009b2J\\u0007\\u000d\n\tend',
  );
});

it('has colours on a terminal only, unless NO_COLOR or --no-color is set', () => {
  vi.stubEnv('NO_COLOR', '');
  vi.stubEnv('TERM', 'xterm');
  expect([hasColor(terminal), hasColor({})]).toEqual([true, false]);
  expect(paint('halted', 'red', terminal)).toBe('\u001b[31mhalted\u001b[39m');
  expect(paint('halted', 'red', {})).toBe('halted');
  setDisplay({ color: false });
  expect(hasColor(terminal)).toBe(false);
  setDisplay({});
  vi.stubEnv('NO_COLOR', '1');
  expect(hasColor(terminal)).toBe(false);
  vi.stubEnv('NO_COLOR', '');
  vi.stubEnv('TERM', 'dumb');
  expect(hasColor(terminal)).toBe(false);
});

it('prints local times, and UTC on request', () => {
  vi.stubEnv('TZ', 'Asia/Tokyo');
  expect(formatTime('2026-11-23T20:05:09.123Z')).toBe('2026-11-24 05:05:09');
  setDisplay({ utc: true });
  expect(formatTime('2026-11-23T20:05:09.123Z')).toBe('2026-11-23 20:05:09Z');
  expect(formatTimeOfDay(new Date().toISOString())).toMatch(/^\d\d:\d\d:\d\dZ$/);
  expect(formatTimeOfDay('2020-01-01T00:00:00Z')).toBe('2020-01-01 00:00:00Z');
});
