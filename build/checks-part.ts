// The parts `types` and `lint` of `npm test`: programs that are started side by side and only speak when they find something.
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { node, type Result, root } from './part-run.ts';

const layers = ['core', 'server', 'electron', 'renderer', 'test'];
const typesFolder = path.join(root, 'node_modules/.cache/mooring-types');
/**
 * The compiler of TypeScript 7, which finds the same with a third of the processor time. It is a package for each system; where
 * there is none, the compiler of 6 checks the types. Programs that read types use the API of 6.
 */
const nativeCompiler = path.join(
  root,
  `node_modules/@typescript/typescript-${process.platform}-${process.arch}`,
);

export async function checkTypes(): Promise<Result> {
  const compiler = existsSync(nativeCompiler)
    ? 'node_modules/typescript-native/bin/tsc'
    : 'node_modules/typescript/bin/tsc';
  return await checks(
    layers.map((layer) => {
      const known = path.join(typesFolder, `${layer}.tsbuildinfo`);
      // What was found in files that did not change is not found out again.
      const incremental = ['--incremental', '--tsBuildInfoFile', known];
      return {
        name: `types of ${layer}`,
        args: [compiler, '-p', `build/tsconfig.${layer}.json`, ...incremental],
      };
    }),
  );
}

export async function checkLint(): Promise<Result> {
  const biome = 'node_modules/@biomejs/biome/bin/biome';
  return await checks([
    { name: 'biome', args: [biome, 'check', '--error-on-warnings', '--max-diagnostics=50', '.'] },
    { name: 'knip', args: ['node_modules/knip/bin/knip.js', '--no-progress'] },
  ]);
}

/** Runs the commands to their end, as many at once as there are processors; prints the output of those that fail. */
async function checks(commands: readonly { name: string; args: readonly string[] }[]): Promise<Result> {
  const result: Result = { passed: 0, failures: [], skipped: [] };
  const waiting = [...commands];
  const runWaiting = async () => {
    for (let command = waiting.shift(); command !== undefined; command = waiting.shift()) {
      const ran = await node(command.args, { quiet: true });
      if (ran.code === 0) result.passed += 1;
      else {
        result.failures.push({ name: command.name, reason: ran.output.trim() });
        process.stdout.write(`${ran.output.trimEnd()}\nFAILED ${command.name}\n`);
      }
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, runWaiting));
  return result;
}
