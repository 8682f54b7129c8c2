// Subscriptions: events in order, without duplicates, without loss over a broken socket, and without a socket.
import type { EventFrame, LiveState, MooringClient, SubscribeOptions } from '../../../sdk/index.ts';
import { waitFor } from '../../support/wait-for.ts';
import { type Case, newDesk } from './bench.ts';
import { equal, has } from './check.ts';

/** Long enough for a busy machine. */
const waits = { deadlineMs: 90_000 };

interface Followed {
  readonly seen: EventFrame[];
  readonly states: LiveState['kind'][];
}

/** Follows a workspace while `act` runs. */
async function following(
  client: MooringClient,
  workspaceId: string,
  options: Partial<SubscribeOptions>,
  act: (followed: Followed) => Promise<void>,
): Promise<Followed & { readonly cursor: string | null }> {
  const followed: Followed = { seen: [], states: [] };
  const subscription = client.subscribe(workspaceId, {
    onEvent: (event) => followed.seen.push(event),
    onState: (state) => followed.states.push(state.kind),
    ...options,
  });
  try {
    await act(followed);
  } finally {
    subscription.close();
    await subscription.closed;
  }
  return { ...followed, cursor: subscription.cursor };
}

const pathsOf = (seen: readonly EventFrame[]) => seen.map((event) => event.path);

export const feedCases: readonly Case[] = [
  {
    name: 'events of the requested paths arrive in order with their content, and continue from a cursor',
    run: async (bench) => {
      const { client, workspaceId } = await newDesk(bench);
      const paths = ['/notes/**'];
      const first = await following(client, workspaceId, { paths }, async ({ seen, states }) => {
        await waitFor('live', () => states.includes('live'), waits);
        await client.writeFile(workspaceId, '/other/x', 'x');
        await client.writeFile(workspaceId, '/notes/a', 'a');
        await client.deleteFile(workspaceId, '/notes/a');
        await waitFor('two events', () => seen.length >= 2, waits);
      });
      equal(
        first.seen.map(({ type }) => type),
        ['file.created', 'file.deleted'],
      );
      has(first.seen[0] ?? {}, { path: '/notes/a', content: 'a' });
      await client.writeFile(workspaceId, '/notes/b', 'b');
      const from = first.cursor ?? 'start';
      const later = await following(client, workspaceId, { paths, from }, async ({ seen }) => {
        await waitFor('the missed event', () => seen.length >= 1, waits);
      });
      equal(pathsOf(later.seen), ['/notes/b']);
    },
  },
  {
    name: 'a broken socket is replaced without gaps and duplicates',
    run: async (bench) => {
      const { client, clientWith, workspaceId } = await newDesk(bench);
      const sockets: WebSocket[] = [];
      const breaking = clientWith({
        webSocket: (url) => {
          const socket = new WebSocket(url);
          sockets.push(socket);
          return socket;
        },
      });
      const { seen } = await following(breaking, workspaceId, {}, async ({ seen, states }) => {
        await waitFor('live', () => states.includes('live'), waits);
        await client.writeFile(workspaceId, '/one', '1');
        await waitFor('the first event', () => seen.length >= 1, waits);
        sockets[0]?.close();
        await client.writeFile(workspaceId, '/two', '2');
        await waitFor('the second event', () => seen.length >= 2, waits);
        await client.writeFile(workspaceId, '/three', '3');
        await waitFor('the third event', () => seen.length >= 3, waits);
      });
      equal(pathsOf(seen), ['/one', '/two', '/three']);
    },
  },
  {
    name: 'without a socket the feed is polled, and the state is reported',
    run: async (bench) => {
      const { client, clientWith, workspaceId } = await newDesk(bench);
      const webSocket = (url: string) => new WebSocket(url.replace('/fs/ws', '/fs/no-such-socket'));
      const socketless = clientWith({ webSocket });
      const { seen } = await following(socketless, workspaceId, {}, async ({ seen, states }) => {
        await waitFor('polling', () => states.includes('polling'), waits);
        await client.writeFile(workspaceId, '/a', 'a');
        await waitFor('the event', () => seen.length >= 1, waits);
        equal(states.includes('live'), false);
      });
      equal(pathsOf(seen), ['/a']);
    },
  },
  {
    name: 'a subscription ends immediately when its token is revoked',
    run: async (bench) => {
      const { clientWith, owner, workspaceId } = await newDesk(bench);
      const { token, accessToken } = await owner.tokens.create(workspaceId, { agent: 'short-lived' });
      const subscription = clientWith({ token }).subscribe(workspaceId, { onEvent: () => undefined });
      await waitFor('live', () => subscription.state.kind === 'live', waits);
      await owner.tokens.revoke(workspaceId, accessToken.tokenId);
      await subscription.closed;
      const { state } = subscription;
      const error = state.kind === 'closed' ? state.error : null;
      has(error instanceof Error ? error : {}, { code: 'unauthorized' });
    },
  },
];
