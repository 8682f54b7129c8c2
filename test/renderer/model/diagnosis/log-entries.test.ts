import { expect, it } from 'vitest';
import {
  afterStep,
  type LoadedEntries,
  noEntries,
} from '../../../../renderer/model/diagnosis/log-entries.ts';
import type { LogPage } from '../../../../sdk/index.ts';

const page = (ids: readonly string[], rest: Partial<LogPage> = {}): LogPage => ({
  entries: ids.map((id) => ({
    id,
    at: '2026-11-20T11:11:50.481Z',
    correlationId: null,
    level: 'info',
    source: 'agent',
    message: id,
    fields: {},
  })),
  nextCursor: null,
  newestId: ids[0] ?? null,
  complete: true,
  ...rest,
});
const idsOf = ({ entries }: LoadedEntries): readonly string[] => entries.map(({ id }) => id);

it('an entry that two slow answers contain is held once', () => {
  const held = afterStep(noEntries, { kind: 'first', page: page(['1']) });
  const once = afterStep(held, { kind: 'live', page: page(['2']), after: '1' });
  const twice = afterStep(once, { kind: 'live', page: page(['3', '2']), after: '1' });
  expect(idsOf(twice)).toEqual(['2', '1']);
  expect(idsOf(afterStep(twice, { kind: 'live', page: page(['3']), after: '2' }))).toEqual(['3', '2', '1']);
});

it('an older page is added only where it belongs', () => {
  const held = afterStep(noEntries, { kind: 'first', page: page(['9', '8'], { nextCursor: '8' }) });
  const reading = afterStep(held, { kind: 'reading older' });
  expect(reading.isReadingOlder).toBe(true);
  const older = { kind: 'older', page: page(['7'], { nextCursor: '7' }), cursor: '8' } as const;
  expect(idsOf(afterStep(reading, older))).toEqual(['9', '8', '7']);
  // Meanwhile a gap has replaced the list: what is before its end is not what was asked for.
  const replaced = afterStep(reading, {
    kind: 'live',
    page: page(['30', '29'], { complete: false, nextCursor: '29' }),
    after: '9',
  });
  const late = afterStep(replaced, older);
  expect(idsOf(late)).toEqual(['30', '29']);
  expect(late).toMatchObject({ nextCursor: '29', isReadingOlder: false });
});
