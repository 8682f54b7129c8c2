import { describe, expect, it } from 'vitest';
import { missingRatios, performanceDocument, ratiosOf, worseRatios } from '../bench/performance-table.ts';
import type { RecordedFigure } from '../bench/report.ts';

function measured(read: number, copy: number) {
  const figures: readonly RecordedFigure[] = [
    { name: 'GET file', value: 7_300, unit: 'req/s' },
    {
      name: 'GET file / constant',
      value: read,
      unit: 'x',
      reach: { at: 'least', value: 0.8 },
      floor: { name: 'constant', value: 9_000 },
      spread: [0.7, 0.9],
      rounds: 5,
    },
    { name: 'first mirror / cp -a', value: copy, unit: 'x', reach: { at: 'most', value: 4 } },
  ];
  return [{ bench: 'http', figures, machine: 'quiet (1 % of the processors)' }];
}

const document = performanceDocument({
  date: '2026-01-02',
  commit: 'abc1234',
  platform: 'linux x64',
  benches: measured(0.82, 4.5),
});

describe('docs/performance.md', () => {
  it('has each figure with floor, spread and target', () => {
    expect(document).toContain('commit abc1234 on linux x64');
    expect(document).toContain('| GET file | 7,300 req/s |  |  |  |');
    expect(document).toContain(
      '| GET file / constant | 0.820 x | 9,000 | 0.700 to 0.900 in 5 rounds | at least 0.8 |',
    );
    expect(document).toContain('| first mirror / cp -a | 4.50 x |  |  | at most 4 (missed) |');
  });

  it('is the base of the next comparison', () => {
    expect([...ratiosOf(document)]).toEqual([
      ['http: GET file / constant', 0.82],
      ['http: first mirror / cp -a', 4.5],
    ]);
  });

  it('names ratios that are worse by more than 15 %, in either direction', () => {
    expect(worseRatios(document, measured(0.71, 5.1))).toEqual([]);
    expect(worseRatios(document, measured(0.69, 5.3))).toEqual([
      'http: GET file / constant: 0.690 x, was 0.820 x',
      'http: first mirror / cp -a: 5.30 x, was 4.50 x',
    ]);
  });

  it('names ratios that a bench no longer measures', () => {
    const [http] = measured(0.8, 4);
    const figures = (http?.figures ?? []).filter(({ name }) => name !== 'first mirror / cp -a');
    expect(missingRatios(document, [{ bench: 'http', figures, machine: 'quiet' }])).toEqual([
      'http: first mirror / cp -a',
    ]);
    expect(missingRatios(document, [{ bench: 'ui', figures: [], machine: 'quiet' }])).toEqual([]);
  });

  it('keeps the sections of benches that were not measured', () => {
    const figure = {
      name: 'paint / one word',
      value: 3,
      unit: 'x',
      reach: { at: 'most', value: 8 } as const,
    };
    const later = { date: '2026-02-03', commit: 'def5678', platform: 'linux x64' };
    const both = performanceDocument(
      { ...later, benches: [{ bench: 'ui', figures: [figure], machine: 'quiet' }] },
      document,
    );
    expect([...ratiosOf(both).keys()]).toEqual([...ratiosOf(document).keys(), 'ui: paint / one word']);
    expect(both).toContain('2026-01-02 at commit abc1234');
    expect(both).toContain('2026-02-03 at commit def5678');
    expect(performanceDocument({ ...later, benches: [] }, both)).toBe(both);
  });
});
