// The example of each command, below its help and in docs/command-line.md. A test runs the parser on each of them.
import type { Command } from 'commander';
import { commandPath } from './mistaken-words.ts';

/** By command; without `mooring`. */
export const examples: Readonly<Record<string, readonly string[]>> = {
  start: ['start ~/Documents/notes'],
  stop: ['stop --timeout 1m'],
  serve: ['serve --listen 127.0.0.1:0 --json'],
  'hub key': ['hub key /etc/mooring/master.key'],
  'hub new-epoch': ['hub new-epoch --database postgres://mooring@db.example.com/mooring'],
  status: ['status', 'status --watch'],
  sync: ['sync --wait --timeout 5m'],
  'workspace create': ['workspace create --name notes --mirror ~/Documents/notes'],
  'workspace list': ['workspace list --deleted'],
  'workspace rename': ['workspace rename notes papers'],
  'workspace delete': ['workspace delete notes --yes'],
  'workspace restore': ['workspace restore notes'],
  'mirror add': ['mirror add --workspace notes --dir ~/Documents/notes --mode to-folder'],
  'mirror list': ['mirror list --workspace notes'],
  'mirror pause': ['mirror pause --workspace notes'],
  'mirror resume': ['mirror resume --workspace notes'],
  'mirror remove': ['mirror remove --workspace notes --dir ~/Documents/notes'],
  'mirror deletion-limit': ['mirror deletion-limit 200 --workspace notes'],
  'mirror pending-deletions': ['mirror pending-deletions --workspace notes --limit 100'],
  'mirror restore': ['mirror restore --workspace notes'],
  'mirror delete-missing': ['mirror delete-missing --workspace notes --dir ~/Documents/notes --deletes 12'],
  'mirror plan': ['mirror plan --workspace notes'],
  'mirror prove': ['mirror prove --workspace notes'],
  'mirror problems': [
    'mirror problems --workspace notes',
    'mirror problems --workspace notes --cause symlink',
  ],
  'remote add': [
    'remote add --workspace notes --url https://hub.example.com --remote-workspace rw_team0001 --token-file ~/hub.token',
  ],
  'remote list': ['remote list'],
  'remote pause': ['remote pause notes'],
  'remote resume': ['remote resume notes --restore'],
  'remote remove': ['remote remove notes'],
  'conflicts list': ['conflicts list --workspace notes'],
  'conflicts show': ['conflicts show con_12ab34cd'],
  'conflicts resolve': ['conflicts resolve con_12ab34cd --keep both'],
  explain: ['explain /docs/plan.md --workspace notes'],
  'token create': ['token create --workspace notes --agent my-script --path "/docs/**" --ttl 24h'],
  'token list': ['token list --workspace notes'],
  'token revoke': ['token revoke tok_12ab34cd --workspace notes'],
  'config list': ['config list'],
  'config set': ['config set historyDays 60', 'config set historyBytes 40GiB'],
  'config unset': ['config unset historyDays'],
  'browser list': ['browser list'],
  'browser sign-out': ['browser sign-out ses_12ab34cd', 'browser sign-out --all'],
  mcp: ['mcp --workspace notes --read-only'],
  'mcp install': ['mcp install claude-code --write'],
  'dead-letters list': ['dead-letters list --workspace notes --provider github'],
  'dead-letters show': ['dead-letters show env_12ab34cd --workspace notes'],
  'dead-letters replay': ['dead-letters replay --all --provider github --dry-run'],
  'dead-letters ack': ['dead-letters ack env_12ab34cd'],
  'provider add': ['provider add github --workspace notes'],
  'provider set': ['provider set github --workspace notes --timeout 10s'],
  'provider list': ['provider list --workspace notes'],
  'provider test': ['provider test github --workspace notes'],
  'provider refresh': ['provider refresh github --workspace notes'],
  'provider pause': ['provider pause github --workspace notes'],
  'provider resume': ['provider resume github --workspace notes'],
  'provider remove': ['provider remove github --workspace notes --yes'],
  'writeback list': ['writeback list --workspace notes'],
  'writeback preview': ['writeback preview op_12 --workspace notes'],
  'writeback ack': ['writeback ack op_12 --workspace notes --external-id 4711'],
  'writeback cancel': ['writeback cancel --all --provider github --dry-run'],
  'writeback send': ['writeback send op_12 --workspace notes'],
  'writeback sweep-drafts': ['writeback sweep-drafts --workspace notes --apply'],
  'ops list': ['ops list --workspace notes --status dead_lettered'],
  'ops show': ['ops show op_12 --workspace notes'],
  'ops replay': ['ops replay --all --status dead_lettered --dry-run'],
  search: ['search "quarterly report" --workspace notes --glob "*.md"'],
  'search reindex': ['search reindex'],
  export: ['export --workspace notes --output notes.tar.gz'],
  import: ['import octocat/hello-world --sha 7fd1a60 --archive ~/Downloads/hello-world.tar.gz'],
  'fork create': ['fork create rewrite-1 --workspace notes'],
  'fork list': ['fork list --workspace notes'],
  'fork show': ['fork show fork_12ab34cd --workspace notes'],
  'fork diff': ['fork diff fork_12ab34cd --patch'],
  'fork rebase': ['fork rebase fork_12ab34cd'],
  'fork commit': ['fork commit fork_12ab34cd'],
  'fork discard': ['fork discard fork_12ab34cd'],
  'run exec': ['run exec -- npm test', 'run exec --commit -- npm run format'],
  'run open': ['run open run_12ab34cd'],
  'run list': ['run list --workspace notes'],
  'run show': ['run show run_12ab34cd'],
  'run commit': ['run commit run_12ab34cd --path /docs'],
  'run discard': ['run discard run_12ab34cd'],
  'run undo': ['run undo run_12ab34cd --dry-run'],
  log: ['log /docs/plan.md --workspace notes', 'log --limit 20'],
  show: ['show /docs/plan.md --diff'],
  restore: ['restore /docs --at 2026-11-20T15:00 --dry-run'],
  undo: ['undo --since 10m --dry-run'],
  open: ['open --print'],
  backup: ['backup ~/Backups/mooring-1'],
  'backup restore': ['backup restore ~/Backups/mooring-1'],
  doctor: ['doctor --json'],
  logs: ['logs --follow --level warn', 'logs --since 1h --correlation-id 3f2a'],
  completion: ['completion bash'],
  openapi: ['openapi --output openapi.json'],
};

/** Call it after all commands are registered. */
export function addExamples(program: Command): void {
  for (const command of program.commands) addTo(command);
}

function addTo(command: Command): void {
  const own = examples[commandPath(command)] ?? [];
  if (own.length > 0) {
    const lines = own.map((example) => `  mooring ${example}`).join('\n');
    command.addHelpText('after', `\nExample${own.length === 1 ? '' : 's'}:\n${lines}`);
  }
  for (const child of command.commands) addTo(child);
}
