// The thread that a test's process starts is that of today's sources.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { testProcesses } from '../../build/test-processes.ts';
import { bundledThreads } from './bundled-threads.ts';

const starter = path.resolve(import.meta.dirname, '../../server/store/writer/writer-settings.ts');
const other = path.resolve(import.meta.dirname, '../../server/store/writer/writer-thread.ts');

function transformed(id: string): unknown {
  const { transform } = bundledThreads();
  if (typeof transform !== 'function') throw new Error('it transforms nothing');
  return Reflect.apply(transform, undefined, [readFileSync(id, 'utf8'), id]);
}

it('is named in the newest bundles', () => {
  const [, url = ''] = /new URL\('(file:[^']+)'\)/.exec(String(transformed(starter))) ?? [];
  const file = fileURLToPath(url);
  expect(path.dirname(file)).toBe(testProcesses());
  expect(existsSync(file)).toBe(true);
  expect(transformed(other)).toBeNull();
});

it('is named anew in each run, and not by the cache of an earlier one', () => {
  type Generator = (module: { id: string; sourceCode: string }) => unknown;
  const generators: Generator[] = [];
  const { configureVitest } = bundledThreads();
  if (typeof configureVitest !== 'function') throw new Error('it does not configure Vitest');
  Reflect.apply(configureVitest, undefined, [
    { defineCacheKeyGenerator: (generator: Generator) => generators.push(generator) },
  ]);
  const keyOf = (id: string) => generators.map((one) => one({ id, sourceCode: readFileSync(id, 'utf8') }));
  expect([keyOf(starter), keyOf(other)]).toEqual([[false], [undefined]]);
});
