import { existsSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { guardFlags } from './server/platform/process/engine-flags.ts';
import { bundledThreads } from './test/support/bundled-threads.ts';
import './test/support/compile-cache.ts';

// One project per part of `npm test` (build/test.ts names them, and says what it runs once more). A test that fails
// once has found something: nothing is tried again here. Timeouts are for a loaded two-core machine; a test that waits does so on a condition
// with its own deadline (test/support/wait-for.ts), which is shorter and says what it waited for.
const long = process.env.MOORING_TEST_LONG === '1';
const second = 1000;
/** `npm run test:long` measures in hours; only a hang should end it. */
const longTimeoutMs = 4 * 3600 * second;

/** How the files of a part run. */
interface FileOrder {
  /** Parts with equal numbers may run at once. Vitest wants another number for another number of workers. */
  readonly group: number;
  /** Several at a time: as many as there are processors, or `workers`. */
  readonly parallel: boolean;
  /** For a part that waits for disks and timers more than it computes. */
  readonly workers?: number;
  /** In a process of its own each. Otherwise they share the workers: loading and warming up takes up to half of the processor time. */
  readonly isolate: boolean;
}

const oneByOne: FileOrder = { group: 0, parallel: false, isolate: true };
const oneByOneTogether: FileOrder = { group: 3, parallel: false, isolate: false };
const together: FileOrder = { group: 1, parallel: true, isolate: false };
const manyTogether: FileOrder = { ...together, group: 2, workers: 4 };

function part(name: string, include: readonly string[], testTimeoutMs: number, order: FileOrder) {
  return {
    extends: true as const,
    test: {
      name,
      include: [...include],
      testTimeout: long ? longTimeoutMs : testTimeoutMs,
      hookTimeout: Math.max(testTimeoutMs, 30 * second),
      fileParallelism: order.parallel,
      sequence: { groupOrder: order.group },
      ...(order.workers === undefined ? {} : { maxWorkers: order.workers }),
      isolate: order.isolate,
    },
  };
}

const unitFolders = [
  'core',
  'compute',
  'store',
  'disk',
  'platform',
  'auth',
  'workspaces',
  'conflicts',
  'remotes',
  'runs',
  'folder-notes',
  'mirror',
  'inbound',
  'outbound',
  'delivery',
  'search',
  'agent',
  'cli',
  'sdk',
  'renderer',
  'build',
  'desktop',
  'support',
  'prose',
];

/**
 * What a test of the store or of the API says about SQLite's files runs on SQLite alone; all of these run on both engines. `npm test`
 * runs those that read and write the most different tables; `npm run test:long` runs the variants of their statements, too.
 */
const bothEngines = [
  'test/store/{model,reads,restore,leases,webhook-numbers,storable-text}.test.ts',
  'test/store/tables/**/*.test.ts',
  'test/http/{files,content-identity,tree-at,history,changes,merge,narrow-grants,epoch,cursor-gap,clients}.test.ts',
  'test/http/{forks,fork-permission,every-route,operations,sync,admin,runs,search}.test.ts',
  'test/http/base/path-grants.test.ts',
  'test/mcp/endpoint.test.ts',
  'test/inbound/{apply-loop,dead-letters}.test.ts',
  'test/outbound/operations/transitions.test.ts',
  'test/sdk/suite.test.ts',
  'test/clients/relayfile-mount.test.ts',
  ...(long
    ? [
        // Thousands of single reads: each costs more there.
        'test/property/{authority,forks,restore,runs}.property.test.ts',
        'test/store/tree-at.test.ts',
        'test/http/{fork-tokens,large-writes}.test.ts',
        // They use the same routes as the tests of test/http above.
        'test/mcp/{tools,runs}.test.ts',
        'test/outbound/operations/replay.test.ts',
        'test/clients/{first-use,mcp-conformance,relayfile-mount-first-use,relayfile-mount-scenario}.test.ts',
        'test/clients/relayfile-{sdk,setup,sdk-sync,sdk-table,sdk-writeback}.test.ts',
      ]
    : []),
];

/** Starts one PostgreSQL for all of its tests. */
function withPostgres(config: ReturnType<typeof part>, env: Readonly<Record<string, string>> = {}) {
  return {
    ...config,
    test: { ...config.test, env, globalSetup: ['test/support/postgres-for-all.ts'] },
  };
}

/**
 * Node keeps its own modules compiled for engines without flags. Where the processor has no protection keys the flag guards nothing, and
 * each thread of a store would compile them anew: 20 ms of each start.
 */
const processorFile = '/proc/cpuinfo';
const hasProtectionKeys =
  !existsSync(processorFile) || /^flags\s*:.*\bpku\b/m.test(readFileSync(processorFile, 'utf8'));
/** A failed test is run once more: `npm test` says so. */
const isRepeated = process.env.MOORING_TEST_AGAIN === '1';
const watches = !process.argv.includes('run');

export default defineConfig({
  plugins: watches ? [] : [bundledThreads()],
  test: {
    environment: 'node',
    pool: 'forks',
    // The store runs in the tests' processes, too.
    execArgv: hasProtectionKeys ? [...guardFlags] : [],
    maxWorkers: 2,
    // A worker ends when its databases are closed, also on a loaded machine.
    teardownTimeout: 120 * second,
    // What names a seed comes from an input and not from the machine; test/support/run-once.ts is for the others.
    retry: isRepeated ? { count: 1, condition: /^(?![\s\S]*\bseed\b)/ } : 0,
    globalSetup: ['test/support/build-program.ts'],
    setupFiles: ['test/support/vitest-setup.ts'],
    projects: [
      part(
        'unit',
        unitFolders.map((folder) => `test/${folder}/**/*.test.{ts,tsx}`),
        120 * second,
        together,
      ),
      part('imports', ['test/architecture.test.ts'], 60 * second, oneByOne),
      part('property', ['test/property/**/*.test.ts'], 300 * second, together),
      part('simulation', ['test/simulation/**/*.test.ts'], 300 * second, together),
      part(
        'contract',
        ['test/http/**/*.test.ts', 'test/contract/**/*.test.ts', 'test/mcp/**/*.test.ts'],
        120 * second,
        manyTogether,
      ),
      // Real processes, real disks: one at a time, so that a deadline means what it says.
      part('flow', ['test/flow/**/*.test.ts'], 300 * second, oneByOneTogether),
      // Real processes on a real PostgreSQL.
      withPostgres(part('hub', ['test/hub/**/*.test.ts'], 300 * second, oneByOneTogether)),
      // The store and the API once more, with a database of PostgreSQL for each data directory.
      withPostgres(part('engines', bothEngines, 300 * second, { ...manyTogether, group: 4 }), {
        MOORING_TEST_ENGINE: 'postgres',
      }),
      part('clients', ['test/clients/**/*.test.ts'], 300 * second, oneByOneTogether),
      part('packaging', ['test/packaging/**/*.test.ts'], 300 * second, oneByOne),
    ],
  },
});
