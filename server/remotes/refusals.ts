// What is checked before a remote is added: its address, its token and workspace by one connection, that it is another workspace than
// this one, and that no provider has the same files. Each refusal names the cause and what to do.
import { withTimeLimit } from '../platform/clock.ts';
import type { RemoteRow } from '../store/port/store.ts';
import { eventIdOf, numberOf } from './client/answers.ts';
import {
  RemoteRefusedError,
  type RemoteServer,
  RemoteUnauthorizedError,
  RemoteUnavailableError,
} from './client/remote-server.ts';
import { type NewRemote, RemoteNotAddedError, shareFiles } from './port.ts';
import { type RemoteDeps, type RemoteStores, remoteRules } from './state/context.ts';

/** Time limit of the first connection. */
const probeMs = 15_000;

export function checkedUrl({ url, insecureHttp }: NewRemote): string {
  const parsed = URL.parse(url);
  if (parsed === null || !['http:', 'https:'].includes(parsed.protocol))
    throw new RemoteNotAddedError(`"${url}" is not an address: use, for example, https://hub.example.com`);
  if (parsed.username !== '' || parsed.password !== '' || parsed.search !== '' || parsed.hash !== '')
    throw new RemoteNotAddedError('the address must not contain a name, a password or parameters');
  if (parsed.protocol === 'http:' && !insecureHttp && !isLoopback(parsed.hostname))
    throw new RemoteNotAddedError(
      `${parsed.origin} is not encrypted: use https, or allow it with --insecure-http`,
    );
  return (parsed.origin + parsed.pathname).replace(/\/+$/, '');
}

/** Rules that cannot be applied must not be ignored: they would sync what they hide. */
export function checkRules(row: Pick<RemoteRow, 'rootPath' | 'ignoreRules'>): void {
  const [fault] = remoteRules(row.rootPath, row.ignoreRules).faults();
  if (fault !== undefined)
    throw new RemoteNotAddedError(`the ignore rules cannot be applied: ${fault.cause}`);
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '[::1]' || /^127(\.\d{1,3}){3}$/.test(host);
}

/** Providers do the writeback of what they hold; with a remote, those of the server do it, once. */
export async function checkProviders(
  { providers }: Pick<RemoteStores, 'providers'>,
  { workspaceId, rootPath }: RemoteRow,
): Promise<void> {
  for (const provider of await providers.list()) {
    const holds = `/${provider.name}`;
    if (provider.workspaceId === workspaceId && shareFiles(rootPath, holds))
      throw new RemoteNotAddedError(
        `the provider "${provider.name}" has the files below ${holds} here: remove it, because the providers of the server do the writeback, or sync another directory with --path`,
      );
  }
}

/** Connects once, so that a wrong address, token or workspace is reported at once. */
export async function probe(
  { clock, store }: Pick<RemoteDeps, 'clock' | 'store'>,
  row: RemoteRow,
  server: RemoteServer,
  stopping: AbortSignal,
): Promise<void> {
  try {
    await withTimeLimit(clock, probeMs, stopping, async (signal) => {
      await server.identify(signal);
      if (row.remoteWorkspaceId === row.workspaceId) await checkIsAnother(store, row, server, signal);
    });
  } catch (error) {
    throw notAdded(row, error);
  }
}

/** The server's newest event is in the feed here: this is the workspace itself, at whatever address. A restored copy has events of its own. */
async function checkIsAnother(
  { events }: Pick<RemoteStores, 'events'>,
  { workspaceId }: RemoteRow,
  server: RemoteServer,
  signal: AbortSignal,
): Promise<void> {
  const tip = await server.tip(signal);
  const number = tip === null ? 0 : (numberOf(eventIdOf(tip.cursor), 'evt_') ?? 0);
  const page = await events.after(workspaceId, Math.max(0, number - 1), 1);
  const [own] = page.events;
  const isSame =
    tip === null ? own === undefined : own?.seq === number && own.path === tip.path && own.type === tip.type;
  if (isSame)
    throw new RemoteNotAddedError(
      'this is the workspace itself: choose a workspace of another server, or add the remote to another workspace, for example with --new',
    );
}

function notAdded({ url }: RemoteRow, error: unknown): RemoteNotAddedError {
  if (error instanceof RemoteNotAddedError) return error;
  if (error instanceof RemoteUnauthorizedError)
    return new RemoteNotAddedError(`${url} refuses the token: ${error.message}`);
  if (error instanceof RemoteRefusedError)
    return new RemoteNotAddedError(`${url} has no such workspace: ${error.message}`);
  if (error instanceof RemoteUnavailableError)
    return new RemoteNotAddedError(`${url} cannot be reached: ${error.message}`);
  const message = error instanceof Error ? error.message : String(error);
  return new RemoteNotAddedError(`${url} is not a server of this API, or refuses: ${message}`);
}
