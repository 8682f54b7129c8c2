import { beforeEach, expect, it, vi } from 'vitest';
import type { MooringBridge } from '../../electron/ipc-contract.ts';
import { type IpcDeps, registerHandlers } from '../../electron/ipc-handlers.ts';

const exposed = new Map<string, unknown>();
const invoked: unknown[][] = [];
const listeners = new Map<string, (event: unknown, payload: unknown) => void>();

vi.mock('electron', () => ({
  contextBridge: { exposeInMainWorld: (name: string, value: unknown) => exposed.set(name, value) },
  ipcRenderer: {
    invoke: async (...args: unknown[]) => invoked.push(args),
    on: (channel: string, listener: (event: unknown, payload: unknown) => void) =>
      listeners.set(channel, listener),
    off: (channel: string) => listeners.delete(channel),
  },
}));

async function bridge(): Promise<MooringBridge> {
  await import('../../electron/preload.ts');
  return exposed.get('mooring') as MooringBridge;
}

beforeEach(() => {
  invoked.length = 0;
});

it('the page sees one object of functions, and nothing of Electron', async () => {
  const seen = await bridge();
  expect([...exposed.keys()]).toEqual(['mooring']);
  const { platform, ...functions } = seen;
  expect(['darwin', 'win32', 'linux']).toContain(platform);
  expect(new Set(Object.values(functions).map((value) => typeof value))).toEqual(new Set(['function']));
});

it('each function calls a channel that is handled, and each channel has a function', async () => {
  const seen = await bridge();
  const place = { workspaceId: 'ws', path: '/' };
  await Promise.all([
    seen.agentState(),
    seen.reviveAgent(),
    seen.lastCrash(),
    seen.signInCode(),
    seen.chooseFolder({ title: 'x' }),
    seen.reveal(place),
    seen.open(place),
    seen.holdsUnsaved(true),
    seen.desktopState(),
    seen.changeDesktop({ keepRunning: true }),
    seen.checkForUpdates(),
    seen.installUpdate(),
  ]);
  const handled: string[] = [];
  registerHandlers({ handle: (channel) => void handled.push(channel) }, {} as IpcDeps);
  expect(invoked.map(([channel]) => channel).sort()).toEqual(handled.sort());
  expect(invoked).toContainEqual(['path:open', place]);
});

it('a listener gets the payload without the event, until it is ended', async () => {
  const seen = await bridge();
  const heard: unknown[][] = [];
  const end = seen.onGo((...args) => heard.push(args));
  listeners.get('page:go')?.({ sender: 'secret' }, 'files/a.md');
  end();
  expect(heard).toEqual([['files/a.md']]);
  expect(listeners.size).toBe(0);
});
