import { describe, expect, it } from 'vitest';
import {
  bytesText,
  parseBytes,
  parseDurationMs,
  parseWholeNumber,
} from '../../../server/platform/config/quantities.ts';

it.each([
  [0, '0 B'],
  [1000, '1000 B'],
  [1024, '1 KiB'],
  [512 * 1024 ** 2, '512 MiB'],
  [20 * 1024 ** 3, '20 GiB'],
  [1024 ** 3 + 1, '1073741825 B'],
])('%i bytes read as %s', (bytes, text) => {
  expect(bytesText(bytes)).toBe(text);
  expect(parseBytes(text.replace(' ', ''))).toBe(bytes);
});

describe('what people write', () => {
  it.each([
    ['0', 0],
    ['4096', 4096],
    ['7B', 7],
    ['64KiB', 65_536],
    ['96MiB', 100_663_296],
    ['1GiB', 1_073_741_824],
    ['', null],
    ['1.5MiB', null],
    ['1MB', null],
    ['1 MiB', null],
    ['-1', null],
    ['1e6', null],
    ['0x10', null],
    ['MiB', null],
    ['999999999999999GiB', null],
    ['１', null],
  ])('as a size: %j is %j', (text, bytes) => {
    expect(parseBytes(text)).toBe(bytes);
  });

  it.each([
    ['500ms', 500],
    ['60s', 60_000],
    ['15m', 900_000],
    ['24h', 86_400_000],
    ['7d', 604_800_000],
    ['0s', 0],
    ['', null],
    ['60', null],
    ['1.5h', null],
    ['1h30m', null],
    ['-1s', null],
    ['1 s', null],
    ['1S', null],
    ['999999999999d', null],
  ])('as a duration: %j is %j', (text, durationMs) => {
    expect(parseDurationMs(text)).toBe(durationMs);
  });

  it.each([
    ['0', 0],
    ['42', 42],
    ['9007199254740991', 9_007_199_254_740_991],
    ['', null],
    ['042', null],
    ['+1', null],
    ['-1', null],
    ['1.0', null],
    ['1e3', null],
    [' 1', null],
    ['9007199254740992', null],
  ])('as a whole number: %j is %j', (text, number) => {
    expect(parseWholeNumber(text)).toBe(number);
  });
});
