import { describe, expect, it } from 'vitest';
import { editDisabledReason } from '../../../../renderer/model/files/edit-view.ts';

describe('a file that cannot be edited', () => {
  const file = { content: 'text\n' };

  it('has a reason', () => {
    expect(editDisabledReason(file)).toBeNull();
    expect(editDisabledReason({ ...file, encoding: 'base64' })).toMatch(/^Binary file/);
    expect(editDisabledReason({ ...file, content: 'a\0b' })).toMatch(/^Binary file/);
    expect(editDisabledReason({ ...file, content: 'x'.repeat(1_000_001) })).toMatch(/1,000 KB|1\.0 MB|1 MB/);
  });
});
