import type { Session, WebContents } from 'electron';
import { describe, expect, it } from 'vitest';
import type { AgentState } from '../../electron/ipc-contract.ts';
import { handle, type InvocationTarget, noArguments } from '../../electron/ipc-main.ts';
import { denyPermissions, guardContents } from '../../electron/security.ts';

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
    guardContents(contents, () => undefined);
    expect(isPrevented('will-frame-navigate', 'app://mooring/files')).toBe(false);
    expect(isPrevented('will-frame-navigate', 'https://example.com/')).toBe(true);
    expect(isPrevented('will-frame-navigate', 'file:///etc/hosts')).toBe(true);
    expect(isPrevented('will-redirect', 'app://elsewhere/')).toBe(true);
    expect(isPrevented('will-attach-webview', 'app://mooring/')).toBe(true);
  });

  it('opens no windows; links to the web go to the browser, others nowhere', () => {
    const { contents, open } = standInContents();
    const opened: string[] = [];
    guardContents(contents, (url) => opened.push(url));
    const urls = [
      'https://example.com/a',
      'http://example.com/',
      'file:///etc/hosts',
      'https://u:p@example.com/',
    ];
    expect(urls.map(open)).toEqual(['deny', 'deny', 'deny', 'deny']);
    expect(opened).toEqual(['https://example.com/a']);
  });

  it('gets no permission', () => {
    const answers: boolean[] = [];
    const session = {
      setPermissionRequestHandler: (ask: (...args: unknown[]) => void) =>
        ask(null, 'media', (granted: boolean) => answers.push(granted)),
      setPermissionCheckHandler: (ask: () => boolean) => answers.push(ask()),
      setDevicePermissionHandler: (ask: () => boolean) => answers.push(ask()),
    };
    denyPermissions(session as unknown as Session);
    expect(answers).toEqual([false, false, false]);
  });
});

describe('the IPC gate', () => {
  function gate() {
    let call: ((event: unknown, ...args: unknown[]) => unknown) | undefined;
    const target = {
      handle: (_channel: string, listener: (event: unknown, ...args: unknown[]) => unknown) => {
        call = listener;
      },
    };
    const state: AgentState = { kind: 'starting' };
    handle(target as unknown as InvocationTarget, 'agent:state', noArguments, () => state);
    return (senderFrame: unknown, ...args: unknown[]) => call?.({ senderFrame }, ...args);
  }

  it('lets our page in its main frame through', () => {
    expect(gate()({ url: 'app://mooring/files', parent: null })).toEqual({ kind: 'starting' });
  });

  it.each([
    ['another page', { url: 'https://example.com/', parent: null }],
    ['a frame inside ours', { url: 'app://mooring/', parent: {} }],
    ['a frame that is gone', null],
  ])('refuses %s', (_what, frame) => {
    expect(() => gate()(frame)).toThrow('called by a page that may not');
  });

  it('refuses arguments that the channel does not take', () => {
    expect(() => gate()({ url: 'app://mooring/', parent: null }, 'extra')).toThrow('arguments');
  });
});
