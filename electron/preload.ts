// The bridge between the page and the main process: a few functions, never `ipcRenderer` itself. Runs sandboxed.
import { contextBridge, type IpcRendererEvent, ipcRenderer } from 'electron';
import type {
  AgentState,
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
  agentState: () => invoke('agent:state'),
  reviveAgent: () => invoke('agent:revive'),
  onAgentState: (listener: (state: AgentState) => void) => listen('agent:state-changed', listener),
};

contextBridge.exposeInMainWorld('mooring', bridge);
