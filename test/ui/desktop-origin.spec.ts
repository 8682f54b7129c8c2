// The page as the desktop app shows it: files from the package, the agent at another origin. No browser but Electron knows
// `app://mooring`, so two stand-ins take its place: the app's own protocol answers at a web origin, and a relay in front
// of the agent says `app://mooring` where Chromium says that origin, and back. Preflights, exposed headers, the WebSocket
// and the policy are Chromium's and the agent's own.
import { createServer, type IncomingMessage } from 'node:http';
import {
  type AddressInfo,
  connect,
  createServer as createRelay,
  type Server as Relay,
  type Socket,
} from 'node:net';
import path from 'node:path';
import { AppPages } from '../../electron/app-protocol.ts';
import type { MooringBridge } from '../../electron/ipc-contract.ts';
import { agentTest, expect } from './fixtures.ts';
import type { UiAgent } from './ui-agent.ts';

const uiFolder = path.resolve(import.meta.dirname, '../../dist/renderer');
const appOrigin = 'app://mooring';

interface Desktop {
  readonly agent: UiAgent;
  /** Where the page lies. */
  readonly origin: string;
  /** Where the agent is for the page. */
  readonly agentUrl: string;
  /** Origins that the relay saw Chromium say. */
  readonly origins: Set<string>;
}

const test = agentTest.extend<{ readonly desktop: Desktop }>({
  desktop: async ({ agent }, use) => {
    const origins = new Set<string>();
    const names = { origin: '', agentUrl: '' };
    const relay = relayTo(new URL(agent.url), names, origins);
    names.agentUrl = await listening(relay);
    const pages = new AppPages({
      folder: uiFolder,
      agent: () => ({ kind: 'ready', url: names.agentUrl }),
      lastCrash: () => null,
    });
    const app = createServer((request, response) => {
      void pages.answer(new Request(`${appOrigin}${request.url}`)).then(async (answer) => {
        response.writeHead(answer.status, Object.fromEntries(answer.headers));
        response.end(Buffer.from(await answer.arrayBuffer()));
      });
    });
    names.origin = await listening(app);
    await use({ agent, ...names, origins });
    app.close();
    relay.close();
  },
});

async function listening(server: Relay): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** Bytes both ways; in the heads of requests and answers the two origins change places. */
function relayTo(agent: URL, names: { readonly origin: string }, origins: Set<string>) {
  return createRelay((page: Socket) => {
    const upstream = connect(Number(agent.port), agent.hostname);
    page.on('data', (bytes) => {
      const text = bytes.toString('latin1');
      const said = /^origin: (.*?)\r$/im.exec(text)?.[1];
      if (said !== undefined) origins.add(said);
      upstream.write(text.replace(/^(origin: ).*?\r$/gim, `$1${appOrigin}\r`), 'latin1');
    });
    upstream.on('data', (bytes) => {
      const text = bytes.toString('latin1');
      page.write(
        text.replace(/^(access-control-allow-origin: )app:\/\/mooring\r$/gim, `$1${names.origin}\r`),
        'latin1',
      );
    });
    for (const [one, other] of [
      [page, upstream],
      [upstream, page],
    ] as const) {
      one.on('end', () => other.end());
      one.on('error', () => other.destroy());
    }
  });
}

/**
 * The bridge of the desktop app, as far as a page needs it to find the agent. The list gets what the page says of itself: whether something
 * would be lost with it.
 */
async function addBridge(
  page: import('@playwright/test').Page,
  desktop: Desktop,
): Promise<readonly boolean[]> {
  const held: boolean[] = [];
  await page.exposeFunction('standInHolds', (holds: boolean) => held.push(holds));
  await page.exposeFunction('standInCode', async () => {
    const { url } = await desktop.agent.client.agent.signIn.link();
    return new URLSearchParams(new URL(url).hash.slice(1)).get('sign-in');
  });
  await page.addInitScript((url) => {
    const standIn = window as unknown as {
      standInCode(): Promise<string>;
      standInHolds(holds: boolean): Promise<void>;
      mooring: Partial<MooringBridge>;
    };
    standIn.mooring = {
      platform: 'linux',
      agentState: async () => ({ kind: 'ready', url }),
      signInCode: () => standIn.standInCode(),
      onAgentState: () => () => undefined,
      onDesktopState: () => () => undefined,
      onGo: () => () => undefined,
      holdsUnsaved: async (holds) => {
        await standIn.standInHolds(holds);
        return null;
      },
    };
  }, desktop.agentUrl);
  return held;
}

test('the page at app://mooring signs itself in, shows a file and follows live changes', async ({
  page,
  desktop,
}) => {
  const faults: string[] = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => {
    if (/Content.Security.Policy|CORS|Access-Control/.test(message.text())) faults.push(message.text());
  });
  const sockets: string[] = [];
  page.on('websocket', (socket) => sockets.push(new URL(socket.url()).host));
  const { workspaceId } = await desktop.agent.mirror('home');
  await desktop.agent.client.writeFile(workspaceId, '/notes.md', 'hello\n', { ifMatch: '0' });
  await addBridge(page, desktop);

  const answer = await page.goto(`${desktop.origin}/#files/notes.md?workspace=${workspaceId}`);
  expect(answer?.headers()['content-security-policy']).toContain(
    `connect-src ${desktop.agentUrl} ${desktop.agentUrl.replace('http', 'ws')};`,
  );
  await expect(page.getByText('hello', { exact: true }).first()).toBeVisible();

  // A change that arrives by the WebSocket, and one that the page makes with a method that needs a preflight.
  await desktop.agent.client.writeFile(workspaceId, '/second.md', 'two\n', { ifMatch: '0' });
  await expect(page.getByText('second.md').first()).toBeVisible();
  expect(new Set(sockets)).toEqual(new Set([new URL(desktop.agentUrl).host]));
  expect(desktop.origins).toEqual(new Set([desktop.origin]));
  expect(faults).toEqual([]);
});

test('the app is told of a running upload, so that it asks before it quits', async ({ page, desktop }) => {
  const { workspaceId } = await desktop.agent.mirror('home');
  await desktop.agent.client.writeFile(workspaceId, '/notes.md', 'hello\n', { ifMatch: '0' });
  const held = await addBridge(page, desktop);
  await page.goto(`${desktop.origin}/#files/?workspace=${workspaceId}`);
  await expect(page.getByText('notes.md').first()).toBeVisible();
  expect(held).toEqual([false]);

  const release = Promise.withResolvers<void>();
  await page.route(/\/fs\/file\?/, async (route) => {
    if (route.request().method() === 'PUT') await release.promise;
    await route.continue();
  });
  const file = { name: 'later.md', mimeType: 'text/markdown', buffer: Buffer.from('later\n') };
  await page.getByLabel('Files to upload').setInputFiles(file);
  await expect.poll(() => held).toEqual([false, true]);
  release.resolve();
  await expect.poll(() => held).toEqual([false, true, false]);
  expect((await desktop.agent.client.readFile(workspaceId, '/later.md')).content).toBe('later\n');
});

test('the page may use every method and header of the API, read what it needs, and call nobody else', async ({
  page,
  desktop,
}) => {
  const { workspaceId } = await desktop.agent.mirror('home');
  const token = await ownToken(desktop);
  await addBridge(page, desktop);
  await page.goto(desktop.origin);
  const seen = await page.evaluate(
    async ({ api, auth }) => {
      const headers = {
        authorization: `Bearer ${auth}`,
        'x-correlation-id': 'c',
        'content-type': 'application/json',
      };
      const put = await fetch(`${api}/fs/file?path=/a.md`, {
        method: 'PUT',
        headers: { ...headers, 'if-match': '0' },
        body: '{"content":"a","contentType":"text/plain"}',
      });
      const get = await fetch(`${api}/fs/file?path=/a.md`, { headers });
      const etag = get.headers.get('etag');
      const remove = await fetch(`${api}/fs/file?path=/a.md`, {
        method: 'DELETE',
        headers: { ...headers, 'if-match': etag ?? '' },
      });
      const elsewhere = await fetch('http://127.0.0.1:9/').then(
        () => 'answered',
        (error: Error) => error.name,
      );
      return { put: put.status, get: get.status, etag, remove: remove.status, elsewhere };
    },
    { api: `${desktop.agentUrl}/v1/workspaces/${workspaceId}`, auth: token },
  );
  expect(seen).toEqual({
    put: 202,
    get: 200,
    etag: expect.stringMatching(/rev_/),
    remove: 202,
    elsewhere: 'TypeError',
  });
});

test('a web page of any other origin gets nothing from the agent', async ({ page, desktop }) => {
  const token = await ownToken(desktop);
  const other = createServer((_request: IncomingMessage, response) =>
    response.end('<!doctype html><title>other</title>'),
  );
  const origin = await listening(other);
  await page.goto(origin);
  const outcome = await page.evaluate(
    async ({ url, auth }) => {
      const refused = (error: Error) => error.name;
      const headers = { authorization: `Bearer ${auth}`, 'x-correlation-id': 'c' };
      const read = await fetch(`${url}/v1/agent/status`, { headers }).then(
        (answer) => answer.status,
        refused,
      );
      const socket = await new Promise<string>((resolve) => {
        const one = new WebSocket(`${url.replace('http', 'ws')}/v1/workspaces/x/fs/ws?token=${auth}`);
        one.onopen = () => resolve('open');
        one.onerror = () => resolve('refused');
      });
      return { read, socket };
    },
    { url: desktop.agent.url, auth: token },
  );
  other.close();
  expect(outcome).toEqual({ read: 'TypeError', socket: 'refused' });
});

/** A UI token, as the page gets it. */
async function ownToken(desktop: Desktop): Promise<string> {
  const { client } = desktop.agent;
  const { url } = await client.agent.signIn.link();
  const code = new URLSearchParams(new URL(url).hash.slice(1)).get('sign-in') ?? '';
  return (await client.agent.signIn.exchange(code)).token;
}
