// Listens on the configured address or, for `mooring start`, on the next free port.

import type { HttpApp } from '../http/app.ts';
import type { AgentConfig } from '../platform/config/config.ts';
import { AgentStartError, codeOf, describeListenFailure } from './start-failure.ts';

/** Ports that are tried after a taken one (`mooring start`). */
const portFallbacksMax = 20;

export interface AgentAddress {
  /** `http://127.0.0.1:4417` */
  readonly url: string;
  readonly host: string;
  readonly port: number;
}

/** @throws AgentStartError where no port can be had. */
export async function listen(config: AgentConfig, app: HttpApp): Promise<AgentAddress> {
  const { listenHost, listenPort, portFallback } = config;
  const tries = portFallback && listenPort !== 0 ? portFallbacksMax + 1 : 1;
  for (let offset = 0; offset < tries; offset += 1) {
    try {
      const { host, port } = await app.listen({ host: listenHost, port: listenPort + offset });
      return { url: `http://${reachableHost(host)}:${port}`, host, port };
    } catch (error) {
      if (codeOf(error) !== 'EADDRINUSE') throw describeListenFailure(listenHost, listenPort + offset, error);
    }
  }
  throw new AgentStartError(
    tries === 1
      ? `Port ${listenPort} of ${listenHost} is taken by another program.`
      : `The ports ${listenPort} to ${listenPort + tries - 1} of ${listenHost} are all taken.`,
    'Choose another one with --listen HOST:PORT; port 0 takes any free one.',
  );
}

/** An address that means "all of them" is no address to go to. */
function reachableHost(host: string): string {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
}
