// The bridge between page and main process: functions for the channels, never `ipcRenderer` itself. Runs sandboxed.
import { contextBridge, type IpcRendererEvent, ipcRenderer } from 'electron';
import type {
  BroadcastChannel,
  Broadcasts,
  InvocationChannel,
  Invocations,
  MooringBridge,
} from './ipc-contract.ts';

function invoke<C extends InvocationChannel>(
  channel: C,
  ...args: Invocations[C]['args']
): Promise<Invocations[C]['result']> {
  return ipcRenderer.invoke(channel, ...args);
}

function listen<C extends BroadcastChannel>(
  channel: C,
  listener: (payload: Broadcasts[C]) => void,
): () => void {
  const onMessage = (_event: IpcRendererEvent, payload: Broadcasts[C]) => listener(payload);
  ipcRenderer.on(channel, onMessage);
  return () => ipcRenderer.off(channel, onMessage);
}

const bridge: MooringBridge = {
  platform: process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'linux',
  agentState: () => invoke('agent:state'),
  reviveAgent: () => invoke('agent:revive'),
  lastCrash: () => invoke('agent:crash'),
  signInCode: () => invoke('agent:sign-in-code'),
  chooseFolder: (question) => invoke('folder:choose', question),
  reveal: (target) => invoke('path:reveal', target),
  open: (target) => invoke('path:open', target),
  holdsUnsaved: (holds) => invoke('page:unsaved', holds),
  desktopState: () => invoke('desktop:state'),
  changeDesktop: (change) => invoke('desktop:change', change),
  checkForUpdates: () => invoke('updates:check'),
  installUpdate: () => invoke('updates:install'),
  onAgentState: (listener) => listen('agent:state-changed', listener),
  onDesktopState: (listener) => listen('desktop:state-changed', listener),
  onGo: (listener) => listen('page:go', listener),
};

contextBridge.exposeInMainWorld('mooring', bridge);
