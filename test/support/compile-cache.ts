// What a process of a test starts with so that it need not compile anew what the one before it compiled, as `mooring serve` does for
// itself: a quarter of the time of a start.
import path from 'node:path';

export const compileCache: Readonly<Record<string, string>> = {
  NODE_COMPILE_CACHE: path.resolve(import.meta.dirname, '../../node_modules/.cache/mooring-test-compile'),
};
