// The agent inside the desktop app: the same agent as `mooring serve`, in an Electron utility process. Over `parentPort` it
// speaks only to the process that forked it; electron/agent-host.ts is the other end and lists the messages. Settings come from
// the environment and `<data-dir>/config.json`, as for the command.
import { Agent, AgentStartError } from './agent.ts';
import { describeConfigErrors, loadConfig } from './platform/config/config.ts';
import { readPrivateFile } from './platform/files/private-files.ts';
import { limitThreadHeaps } from './platform/process/thread-heaps.ts';

/** The part of Electron's ParentPort that is used here; its types are not this layer's. */
export interface ParentPort {
  on(event: 'message', listener: (event: { readonly data: unknown }) => void): unknown;
  postMessage(message: unknown): void;
}

export type HostedAgent = Pick<Agent, 'start' | 'stop' | 'ownerTokenFile'>;

/** `masterKey`: 32 bytes, or null where the system has no keychain. */
export type MakeAgent = (masterKey: Uint8Array | null) => HostedAgent;

/** Starts and stops the agent on request, and answers `ready` or the reason of a failure. `end` ends the process. */
export function hostAgent(port: ParentPort, make: MakeAgent, end: (exitCode: number) => void): void {
  let agent: HostedAgent | undefined;
  let stopping = false;
  const fail = (error: unknown) => {
    port.postMessage({ event: 'failed', reason: reasonOf(error) });
    end(1);
  };
  const start = async (masterKey: Uint8Array | null) => {
    try {
      agent = make(masterKey);
      const { url } = await agent.start();
      const ownerToken = readPrivateFile(agent.ownerTokenFile)?.trim() ?? '';
      if (!stopping) port.postMessage({ event: 'ready', url, ownerToken });
    } catch (error) {
      // A start that was cut short by a stop has not failed; the stop ends the process.
      if (!stopping) fail(error);
    }
  };
  port.on('message', ({ data }) => {
    const command = parseCommand(data);
    if (command?.kind === 'start' && agent === undefined && !stopping) void start(command.masterKey);
    if (command?.kind === 'stop' && !stopping) {
      stopping = true;
      if (agent === undefined) end(0);
      else agent.stop().then(() => end(0), fail);
    }
  });
}

type Command = { readonly kind: 'start'; readonly masterKey: Uint8Array | null } | { readonly kind: 'stop' };

function parseCommand(data: unknown): Command | null {
  if (typeof data !== 'object' || data === null) return null;
  const { command, masterKey } = data as { readonly command?: unknown; readonly masterKey?: unknown };
  if (command === 'stop') return { kind: 'stop' };
  if (command !== 'start') return null;
  return {
    kind: 'start',
    masterKey: typeof masterKey === 'string' ? Buffer.from(masterKey, 'base64') : null,
  };
}

/** A person who starts the app cares for its folders, not for its port: a taken one is replaced by the next free one. */
function makeConfigured(masterKey: Uint8Array | null): Agent {
  const loaded = loadConfig({ flags: {}, portFallback: true });
  if (!loaded.ok) throw new Error(describeConfigErrors(loaded.errors));
  return new Agent(loaded.config, masterKey === null ? {} : { masterKey });
}

function reasonOf(error: unknown): string {
  if (error instanceof AgentStartError) return `${error.message} ${error.remedy}`;
  return error instanceof Error ? error.message : String(error);
}

const parentPort = (process as { readonly parentPort?: ParentPort }).parentPort;
if (parentPort !== undefined) {
  limitThreadHeaps();
  hostAgent(parentPort, makeConfigured, (exitCode) => process.exit(exitCode));
}
