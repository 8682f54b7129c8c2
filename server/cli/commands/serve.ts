// mooring serve: runs the agent in the foreground for services, scripts and tests. It logs to stderr.
import type { Command } from 'commander';
import { withDataDir } from '../shared/arguments.ts';
import { note, printJson } from '../shared/output.ts';
import { readConfig, runAgent } from '../shared/run-agent.ts';

export function registerServe(program: Command): void {
  withDataDir(
    program
      .command('serve')
      .description('run the agent until SIGTERM or SIGINT')
      .option('--database <URL>', 'database of a hub: postgres://USER@HOST/DATABASE')
      .option('--master-key-file <FILE>', 'key that seals the secrets of a hub')
      .option('--listen <HOST:PORT>', 'address, port 0: any free (default: 127.0.0.1:4417)')
      .option('--json', 'print one JSON line when ready')
      .option('--ui', 'serve the UI (default)')
      .option('--no-ui', 'do not serve the UI')
      .option('--jwks-url <URL>', 'also accept RS256 tokens signed with these keys')
      .option('--auto-provision', 'create the workspace of a valid token on first use')
      .option('--external-writeback <MODE>', 'auto, all or off: which changes consumers send')
      .option('--internal-hmac-secret-file <FILE>', 'secret of the internal webhook endpoint')
      .option('--max-body-bytes <N>', 'maximum request body, for example 96MiB')
      .option('--envelope-attempts <N>', 'attempts before an inbound event is dead-lettered')
      .option('--envelope-queue-size <N>', 'maximum queued inbound events (above: 429)')
      .option('--envelope-content-bytes <N>', 'maximum content of an event, for example 64MiB')
      .option('--writeback-attempts <N>', 'attempts before an operation is dead-lettered')
      .option('--mirror-file-bytes <N>', 'maximum size of a synced file, for example 64MiB')
      .option('--metrics <MODE>', 'access to /metrics: open or token')
      .option('--allow-remote', 'allow --listen on an address that is not loopback')
      .option('--allow-host <NAME>', 'accept this Host header (repeatable)', collect)
      .option('--public-url <URL>', 'address of a hub in invite links')
      .option('--oidc-issuer <URL>', 'issuer of the OpenID provider of a hub')
      .option('--oidc-client-id <ID>', 'id of the hub at the OpenID provider')
      .option('--oidc-client-secret-file <FILE>', 'secret of the hub at the OpenID provider')
      .option('--import-host <NAME>', 'allow imports from this host (repeatable)', collect)
      .option('--log-level <LEVEL>', 'fatal, error, warn, info, debug, trace or silent')
      .option('--history-days <N>', 'minimum number of days to retain history')
      .option('--history-revisions-min <N>', 'minimum number of revisions to retain per file')
      .option('--history-bytes <N>', 'maximum size of history, for example 20GiB'),
  )
    .addHelpText('after', '\nEach option is also a MOORING_* variable and a key of config.json.')
    .action(serve);
}

async function serve(options: Readonly<Record<string, unknown>>): Promise<void> {
  const { json, ...flags } = options;
  const config = readConfig({ flags });
  await runAgent(config, ({ address, ownerTokenFile }) => {
    const { dataDir } = config;
    const uiUrl = config.ui ? { uiUrl: `${address.url}/` } : {};
    if (json)
      printJson({ event: 'ready', url: address.url, pid: process.pid, dataDir, ownerTokenFile, ...uiUrl });
    else note(`Mooring is running at ${address.url}. Sign in with "mooring open".`);
  });
}

function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}
