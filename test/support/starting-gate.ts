// A port in front of an agent that lets the first requests of several clients through together: they arrive at the agent at the
// same moment, however far apart the clients started. Afterwards every connection passes at once.

import type { AddressInfo } from 'node:net';
import { connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

export interface StartingGate {
  readonly url: string;
  /** Status of the first answer of each connection. */
  readonly statuses: readonly number[];
}

/** Holds what comes in until that many connections have sent something. Ends with the test. */
export async function startGate(target: string, connections: number): Promise<StartingGate> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  const held: { readonly client: Socket; readonly agent: Socket }[] = [];
  const statuses: number[] = [];
  let open = false;
  const pass = ({ client, agent }: (typeof held)[number]) => {
    client.pipe(agent);
    agent.once('data', (head: Buffer) => statuses.push(Number(head.toString('latin1', 9, 12))));
    agent.pipe(client);
  };
  const server = createServer((client) => {
    const agent = connect({ host: hostname, port: Number(port) });
    for (const socket of [client, agent]) {
      sockets.add(socket);
      // Its end is that of the other one; what broke is the clients' affair.
      socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
    }
    client.on('close', () => agent.destroy());
    agent.on('close', () => client.destroy());
    if (open) return pass({ client, agent });
    client.once('readable', () => {
      held.push({ client, agent });
      if (held.length < connections) return;
      open = true;
      for (const pair of held) pass(pair);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, statuses };
}
