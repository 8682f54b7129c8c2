import path from 'node:path';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    root: path.resolve(import.meta.dirname, '../../../..'),
    include: ['test/support/answers/invalid-answers/wrong-answers.ts'],
    setupFiles: ['test/support/vitest-setup.ts'],
    pool: 'forks',
    hookTimeout: 60_000,
    testTimeout: 60_000,
  },
});
