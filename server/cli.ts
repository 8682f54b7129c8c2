#!/usr/bin/env node
// The entry of every `mooring` command. Nothing is imported before the check: better-sqlite3 needs Node-API 10 and ends an
// older Node without a word.
const nodeApiMin = 10;

if (Number(process.versions.napi) < nodeApiMin) {
  process.stderr.write(
    `Mooring needs Node 24, and this is Node ${process.versions.node} (${process.execPath}).\n` +
      'In a checkout use "npm start", "npm run -s mooring -- ..." or node_modules/.bin/node, which bring the right one.\n',
  );
  process.exitCode = 1;
} else {
  const { becomeLean } = await import('./cli/respawn-with-flags.ts');
  becomeLean(process.argv[2]);
  const { runProgram } = await import('./cli/program.ts');
  process.exitCode = await runProgram(process.argv.slice(2));
}

export {};
