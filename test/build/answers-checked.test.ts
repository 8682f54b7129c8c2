import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { answersChecked } from '../../build/answers-checked.ts';
import { tempFolder } from '../support/temp-folder.ts';

it('the counts of all test files are added up, and what was not checked is said', () => {
  const file = path.join(tempFolder(), 'counts.json');
  expect(answersChecked(file)).toBeUndefined();
  writeFileSync(file, '{"body":7,"type":2,"socket":0,"wrong":1}\n{"body":3,"type":1,"socket":4}\n');
  expect(answersChecked(file)).toBe(
    '11 answers held against the API, 3 by status and type alone, 4 WebSockets by their opening alone',
  );
});
