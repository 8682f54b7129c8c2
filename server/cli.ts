#!/usr/bin/env node
// Entry point of every `mooring` command. It imports nothing before the version check: better-sqlite3 needs Node-API 10 and ends an
// older Node without a message.
const nodeApiMin = 10;

if (Number(process.versions.napi) < nodeApiMin) {
  process.stderr.write(
    `Mooring needs Node 24, and this is Node ${process.versions.node} (${process.execPath}).\n` +
      'In a checkout use "npm start", "npm run -s mooring -- ..." or node_modules/.bin/node, which use Node 24.\n',
  );
  process.exitCode = 1;
} else {
  const { enterCallersFolder } = await import('./cli/callers-folder.ts');
  enterCallersFolder();
  const { respawnWithFlags } = await import('./cli/respawn-with-flags.ts');
  respawnWithFlags(process.argv[2]);
  const { runProgram } = await import('./cli/program.ts');
  process.exitCode = await runProgram(process.argv.slice(2));
}

export {};
