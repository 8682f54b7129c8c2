import type { Session, WebContents } from 'electron';
import { describe, expect, it } from 'vitest';
import type { AgentState } from '../../electron/ipc-contract.ts';
import { type IpcDeps, registerHandlers } from '../../electron/ipc-handlers.ts';
import type { InvocationTarget } from '../../electron/ipc-main.ts';
import { limitDownloads, limitPermissions, restrictContents } from '../../electron/security.ts';

/** Collects what is registered on it, so that a test can play the page. */
function standInContents() {
  const listeners = new Map<string, (event: { url: string; preventDefault(): void }) => void>();
  let openHandler: ((details: { url: string }) => { action: string }) | undefined;
  const contents = {
    on: (name: string, listener: (event: { url: string; preventDefault(): void }) => void) =>
      listeners.set(name, listener),
    setWindowOpenHandler: (handler: (details: { url: string }) => { action: string }) => {
      openHandler = handler;
    },
  };
  const isPrevented = (name: string, url: string) => {
    let prevented = false;
    listeners.get(name)?.({
      url,
      preventDefault: () => {
        prevented = true;
      },
    });
    return prevented;
  };
  return {
    contents: contents as unknown as WebContents,
    isPrevented,
    open: (url: string) => openHandler?.({ url }).action,
  };
}

describe('a page of the app', () => {
  it('may move within the app and nowhere else', () => {
    const { contents, isPrevented } = standInContents();
    restrictContents(contents, () => undefined);
    expect(isPrevented('will-frame-navigate', 'app://mooring/files')).toBe(false);
    expect(isPrevented('will-frame-navigate', 'https://example.com/')).toBe(true);
    expect(isPrevented('will-frame-navigate', 'file:///etc/hosts')).toBe(true);
    expect(isPrevented('will-redirect', 'app://elsewhere/')).toBe(true);
    expect(isPrevented('will-attach-webview', 'app://mooring/')).toBe(true);
  });

  it('opens no windows; links to the web go to the browser, others nowhere', () => {
    const { contents, open } = standInContents();
    const opened: string[] = [];
    restrictContents(contents, (url) => opened.push(url));
    const urls = [
      'https://example.com/a',
      'http://example.com/',
      'file:///etc/hosts',
      'https://u:p@example.com/',
    ];
    expect(urls.map(open)).toEqual(['deny', 'deny', 'deny', 'deny']);
    expect(opened).toEqual(['https://example.com/a']);
  });

  it('may put text on the clipboard, from its main frame, and gets no other permission', () => {
    type Details = { readonly isMainFrame: boolean; readonly requestingUrl: string };
    let request: (
      contents: null,
      permission: string,
      decide: (granted: boolean) => void,
      details: Details,
    ) => void;
    let check: (contents: null, permission: string, origin: string, details: Details) => boolean;
    let device: () => boolean = () => true;
    request = () => undefined;
    check = () => true;
    const session = {
      setPermissionRequestHandler: (handler: typeof request) => {
        request = handler;
      },
      setPermissionCheckHandler: (handler: typeof check) => {
        check = handler;
      },
      setDevicePermissionHandler: (handler: typeof device) => {
        device = handler;
      },
    };
    limitPermissions(session as unknown as Session);
    const both = (permission: string, url: string, isMainFrame: boolean) => {
      const answers: boolean[] = [];
      const details = { isMainFrame, requestingUrl: url };
      request(null, permission, (granted) => answers.push(granted), details);
      return [...answers, check(null, permission, url, details)];
    };
    expect(both('clipboard-sanitized-write', 'app://mooring/', true)).toEqual([true, true]);
    expect(both('clipboard-sanitized-write', 'app://mooring/', false)).toEqual([false, false]);
    expect(both('clipboard-sanitized-write', 'https://example.com/', true)).toEqual([false, false]);
    for (const other of ['clipboard-read', 'media', 'notifications', 'openExternal', 'fileSystem']) {
      expect(both(other, 'app://mooring/', true)).toEqual([false, false]);
    }
    expect(device()).toBe(false);
  });

  it('may save what it made itself, where the person says, and download nothing', () => {
    type Item = { getURL(): string; setSaveDialogOptions(options: unknown): void };
    let listener: (event: { preventDefault(): void }, item: Item) => void = () => undefined;
    const session = {
      on: (_name: string, handler: typeof listener) => {
        listener = handler;
      },
    };
    limitDownloads(session as unknown as Session);
    const outcome = (url: string) => {
      const seen: string[] = [];
      const event = { preventDefault: () => seen.push('prevented') };
      listener(event, { getURL: () => url, setSaveDialogOptions: () => seen.push('asks where to') });
      return seen;
    };
    expect(outcome('blob:app://mooring/1234')).toEqual(['asks where to']);
    for (const url of [
      'https://example.com/a.exe',
      'blob:https://example.com/1',
      'data:text/plain,x',
      'app://mooring/index.html',
    ]) {
      expect(outcome(url)).toEqual(['prevented']);
    }
  });
});

describe('the IPC gate', () => {
  const state: AgentState = { kind: 'starting' };

  /** Every channel, with parts that say what they were given. */
  function gate() {
    const handlers = new Map<string, (event: unknown, ...args: unknown[]) => unknown>();
    const target = {
      handle: (channel: string, listener: (event: unknown, ...args: unknown[]) => unknown) => {
        handlers.set(channel, listener);
      },
    };
    const parts = new Proxy(
      {},
      {
        get:
          (_parts, name) =>
          (...args: unknown[]) => ({ name, args }),
      },
    );
    registerHandlers(target as unknown as InvocationTarget, {
      ...(parts as IpcDeps),
      agentState: () => state,
      chooseFolder: async (question) => JSON.stringify(question),
      open: async (place) => ({ ok: false, cause: place.path, next: '' }),
      changeDesktop: (change) => change as never,
    });
    const call =
      (senderFrame: unknown) =>
      (channel: string, ...args: unknown[]) =>
        handlers.get(channel)?.({ senderFrame }, ...args);
    return { channels: [...handlers.keys()], call };
  }

  const ourPage = { url: 'app://mooring/files', parent: null };

  it('lets our page in its main frame through', () => {
    expect(gate().call(ourPage)('agent:state')).toEqual(state);
  });

  it.each([
    ['another page', { url: 'https://example.com/', parent: null }],
    ['a frame inside ours', { url: 'app://mooring/', parent: {} }],
    ['a frame that is gone', null],
  ])('refuses %s on every channel', (_what, frame) => {
    const { channels, call } = gate();
    expect(channels.length).toBeGreaterThan(8);
    for (const channel of channels)
      expect(() => call(frame)(channel)).toThrow('called by a page without permission');
  });

  const place = { workspaceId: 'ws', path: '/a' };
  it.each([
    ['agent:state', ['extra']],
    ['folder:choose', []],
    ['folder:choose', [null]],
    ['folder:choose', [{ title: 1 }]],
    ['folder:choose', [{ properties: ['openFile'] }]],
    ['folder:choose', [{ title: 'x'.repeat(4097) }]],
    ['folder:choose', [{}, {}]],
    ['path:open', ['/etc/passwd']],
    ['path:open', [{ path: '/a' }]],
    ['path:open', [{ ...place, path: '/a\0' }]],
    ['path:open', [{ ...place, dir: '/etc' }]],
    ['path:reveal', [{ ...place, runId: 7 }]],
    ['path:reveal', [{ runId: 'run', path: '/' }]],
    ['path:reveal', [[place]]],
    ['page:unsaved', ['yes']],
    ['desktop:change', [{ startAtLogin: 'yes' }]],
    ['desktop:change', [{ updateFeed: 'https://example.com' }]],
    ['desktop:change', [JSON.parse('{"__proto__": true}')]],
    ['updates:install', [true]],
  ])('refuses what %s does not take: %j', (channel, args) => {
    expect(() => gate().call(ourPage)(channel, ...args)).toThrow('with invalid arguments');
  });

  it('hands on what passes, as it is', async () => {
    const call = gate().call(ourPage);
    expect(await call('folder:choose', { title: 'Pick', startIn: '/home' })).toBe(
      '{"title":"Pick","startIn":"/home"}',
    );
    expect(await call('path:open', place)).toMatchObject({ cause: '/a' });
    expect(await call('path:open', { ...place, runId: 'run' })).toMatchObject({ cause: '/a' });
    expect(call('desktop:change', { keepRunning: false })).toEqual({ keepRunning: false });
  });
});
