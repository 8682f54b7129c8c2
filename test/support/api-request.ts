// Requests of tests, in short. That each answer is as the API is documented is checked for every client (answers/).
import type { HttpAgent } from './http-agent.ts';

export interface ApiRequest {
  readonly method?: string;
  /** A bare token; null sends none. Default: the owner's. */
  readonly token?: string | null;
  /** null sends none. */
  readonly correlationId?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, text and bytes as they are. */
  readonly body?: unknown;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  /** The parsed body; undefined when it is no JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose shape the document has just checked
  readonly json: any;
}

export async function request(agent: HttpAgent, url: string, options: ApiRequest = {}): Promise<ApiResponse> {
  const method = options.method ?? 'GET';
  const headers = new Headers(options.headers);
  const { token = agent.ownerToken, correlationId = 'test-1', body } = options;
  if (token !== null && !headers.has('authorization')) headers.set('authorization', `Bearer ${token}`);
  if (correlationId !== null && !headers.has('x-correlation-id'))
    headers.set('x-correlation-id', correlationId);
  const plain = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(agent.url + url, {
    method,
    headers,
    redirect: 'manual',
    ...(body === undefined
      ? {}
      : { body: plain ? (body as string | Buffer<ArrayBuffer>) : JSON.stringify(body) }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  return { status: response.status, headers: response.headers, bytes, json: jsonOf(response, bytes) };
}

function jsonOf(response: Response, bytes: Buffer): unknown {
  const type = response.headers.get('content-type') ?? '';
  if (bytes.length === 0 || !type.startsWith('application/json')) return undefined;
  return JSON.parse(bytes.toString('utf8'));
}

/** The parts of an error that callers rely on. */
export function errorOf(response: ApiResponse): readonly [status: number, code: string, message: string] {
  return [response.status, response.json?.code, response.json?.message];
}

/** The same without the message. */
export function codeOf(response: ApiResponse): readonly [status: number, code: string] {
  return [response.status, response.json?.code];
}
