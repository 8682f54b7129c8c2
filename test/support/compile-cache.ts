// What tests compile, and the processes and threads that they start, is compiled once and not by each of them, as `mooring serve` does
// for itself: a third of the processor time of a test that starts an agent. Loaded by the configurations of the runners, so that
// everything below them inherits it.
import path from 'node:path';

process.env.NODE_COMPILE_CACHE ??= path.resolve(
  import.meta.dirname,
  '../../node_modules/.cache/mooring-test-compile',
);
