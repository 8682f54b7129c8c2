// mooring serve: the agent in the foreground, for services, scripts and tests. Logs go to stderr.
import type { Command } from 'commander';
import { withDataDir } from '../shared/arguments.ts';
import { note, printJson } from '../shared/output.ts';
import { readConfig, runAgent } from '../shared/run-agent.ts';

export function registerServe(program: Command): void {
  withDataDir(
    program
      .command('serve')
      .description('run the agent until SIGTERM or SIGINT; each flag is also MOORING_* and in config.json')
      .option('--listen <host:port>', 'where to listen; port 0 takes any free one (default: 127.0.0.1:4417)')
      .option('--json', 'print one JSON line on stdout when ready')
      .option('--ui', 'serve the UI (default)')
      .option('--no-ui', 'do not serve the UI')
      .option('--jwks-url <url>', 'also accept RS256 tokens of the issuer with these keys')
      .option('--auto-provision', 'make the workspace of a valid token on its first use')
      .option('--external-writeback <mode>', 'auto, all or off: which changes wait for a consumer')
      .option('--internal-hmac-secret-file <file>', 'secret of the internal webhook endpoint')
      .option('--max-body-bytes <n>', 'largest request body, such as 96MiB')
      .option('--envelope-attempts <n>', 'attempts before a webhook becomes a dead letter')
      .option(
        '--envelope-queue-size <n>',
        'webhooks that may wait; beyond that senders are told to come back',
      )
      .option('--envelope-content-bytes <n>', 'largest content of one webhook, such as 64MiB')
      .option('--writeback-attempts <n>', 'attempts before an operation becomes a dead letter')
      .option('--mirror-file-bytes <n>', 'largest file that a folder and its workspace share, such as 64MiB')
      .option('--metrics <mode>', 'open or token: who may read /metrics')
      .option('--allow-remote', 'allow --listen on an address that other machines reach')
      .option('--allow-host <name>', 'accept this Host as well; repeatable', collect)
      .option('--import-host <name>', 'a host from which archives may be fetched; repeatable', collect)
      .option('--log-level <level>', 'fatal, error, warn, info, debug, trace or silent')
      .option('--history-days <n>', 'keep replaced contents at least so long')
      .option('--history-revisions-min <n>', 'and at least so many revisions of each file')
      .option('--history-bytes <n>', 'but no more than this of what stands nowhere any more, such as 20GiB'),
  ).action(serve);
}

async function serve(options: Readonly<Record<string, unknown>>): Promise<void> {
  const { json, ...flags } = options;
  const config = readConfig({ flags });
  await runAgent(config, ({ address, ownerTokenFile }) => {
    const { dataDir } = config;
    const uiUrl = config.ui ? { uiUrl: `${address.url}/` } : {};
    if (json)
      printJson({ event: 'ready', url: address.url, pid: process.pid, dataDir, ownerTokenFile, ...uiUrl });
    else note(`Mooring answers at ${address.url}. Sign in with "mooring open".`);
  });
}

function collect(value: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), value];
}
