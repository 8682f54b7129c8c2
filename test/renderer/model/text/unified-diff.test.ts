import { describe, expect, it } from 'vitest';
import { parseUnifiedDiff, sideRows } from '../../../../renderer/model/text/unified-diff.ts';

describe('a diff in two columns', () => {
  it('puts the nth removed line beside the nth added one, and what is over beside nothing', () => {
    const patch = '--- a\n+++ b\n@@ -1,3 +1,4 @@\n one\n-two\n+2\n+2b\n three\n@@ -9 +10,0 @@\n-nine\n';
    const lines = parseUnifiedDiff(patch);
    const text = (index: number | null): string | null =>
      index === null ? null : (lines[index]?.text ?? '');
    expect(sideRows(lines).map(({ before, after }) => [text(before), text(after)])).toEqual([
      ['one', 'one'],
      ['two', '2'],
      [null, '2b'],
      ['three', 'three'],
      ['', ''],
      ['nine', null],
    ]);
    expect(sideRows([])).toEqual([]);
  });
});
