// The refresh address of a provider, in this process: each page is whatever the test answers.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export interface PageServer {
  readonly url: string;
  /** Cursors that were asked for; the first page is ''. */
  readonly asked: string[];
}

export async function startPages(
  answer: (cursor: string, response: ServerResponse) => void,
): Promise<PageServer> {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const cursor = new URL(request.url ?? '/', 'http://localhost').searchParams.get('cursor') ?? '';
    asked.push(cursor);
    response.setHeader('content-type', 'application/json');
    answer(cursor, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/all`, asked };
}
