// Every IPC channel of the desktop app, once, with its types: shared by the main process, the preload script and
// (as types) the renderer. Nothing here runs.

/** What the agent's process is doing, as the supervisor sees it. */
export type AgentState =
  | { readonly kind: 'starting' }
  | { readonly kind: 'ready'; readonly url: string }
  | {
      readonly kind: 'restarting';
      readonly attempt: number;
      readonly delayMs: number;
      readonly reason: string;
    }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'stopped' };

/** Asked by the page, answered by the main process. */
export interface Invocations {
  'agent:state': { readonly args: readonly []; readonly result: AgentState };
  /** Starts an agent that was given up on; does nothing to one that runs. */
  'agent:revive': { readonly args: readonly []; readonly result: AgentState };
}

/** Told by the main process to the page. */
export interface Broadcasts {
  'agent:state-changed': AgentState;
}

export type InvocationChannel = keyof Invocations;
export type BroadcastChannel = keyof Broadcasts;

/** What the page sees as `window.mooring`; absent in a browser. */
export interface MooringBridge {
  agentState(): Promise<AgentState>;
  reviveAgent(): Promise<AgentState>;
  /** Returns the function that ends the subscription. */
  onAgentState(listener: (state: AgentState) => void): () => void;
}
