// Sends one request with its time limit, retries and errors. It retries only what cannot be applied twice: reads, writes with a content
// identity, and requests answered by 429 or 503 with Retry-After, where the agent has applied nothing.
import { errorFrom, InvalidArgumentError, MooringError, NoAnswerError } from './errors.ts';
import type { CallOptions, RetryOptions } from './types.ts';

const rawTypeDefault = 'application/octet-stream';
const requestTimeoutMsDefault = 120_000;
/** The rate of a slow connection: a body extends the time limit by its length at this rate. */
const slowBytesPerMs = 64;
/** The maximum delay of a timer. */
const timerMsMax = 2_147_483_647;
const retryDefaults = { retries: 3, firstDelayMs: 100, delayMsMax: 10_000 } as const;

export interface TransportOptions {
  /** `http://127.0.0.1:4417`; in a page of the agent `location.origin`. */
  readonly baseUrl: string;
  /** A bearer token, or a function that returns the current one. Absent: only calls that need no token succeed. */
  readonly token?: string | (() => string | Promise<string>);
  readonly fetch?: typeof globalThis.fetch;
  /** One id for all requests, or a function that returns one. Default: a new random id per request. */
  readonly correlationId?: string | (() => string);
  readonly retry?: RetryOptions;
  /**
   * Time limit of a call until its answer is complete. Default 120,000. The bodies of the request and of its answer extend it by the
   * time that they take at 64 kB per second. A stream has no limit while its parts arrive.
   */
  readonly timeoutMs?: number;
}

export interface RequestInput {
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'PATCH' | 'DELETE';
  /** Starts with `/`. Its segments are encoded. */
  readonly route: string;
  readonly query?: Readonly<Record<string, string | number | readonly string[] | undefined>> | undefined;
  readonly ifMatch?: string;
  readonly body?: unknown;
  /** Bytes to send instead of `body`. A stream can be sent only once, so such a request is never retried. */
  readonly rawBody?: Uint8Array | Blob | ReadableStream<Uint8Array>;
  /** Content type of `rawBody`. Default `application/octet-stream`. */
  readonly rawType?: string;
  /** Additional headers. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Default `application/json`. */
  readonly accept?: string;
  readonly range?: string;
  /** true: a retry has no further effect. Default: true for GET and HEAD. */
  readonly safe?: boolean;
  readonly call?: CallOptions | undefined;
}

export class Transport {
  readonly baseUrl: string;
  readonly #options: TransportOptions;
  readonly #retry: Required<RetryOptions>;
  readonly #fetch: typeof globalThis.fetch;

  constructor(options: TransportOptions) {
    this.baseUrl = options.baseUrl.replace(/\/+$/, '');
    this.#options = options;
    this.#retry = { ...retryDefaults, ...options.retry };
    // The browser's fetch requires its own `this`.
    this.#fetch = options.fetch ?? ((input, init) => globalThis.fetch(input, init));
  }

  async token(): Promise<string | undefined> {
    const { token } = this.#options;
    return typeof token === 'function' ? await token() : token;
  }

  async get<T>(route: string, call?: CallOptions, query?: RequestInput['query']): Promise<T> {
    return await this.call({ method: 'GET', route, query, call });
  }

  async post<T>(route: string, call?: CallOptions, body?: unknown): Promise<T> {
    return await this.call({ method: 'POST', route, body, call });
  }

  /** A post that has no further effect when it is repeated. */
  async postSafe<T>(route: string, call?: CallOptions, body?: unknown): Promise<T> {
    return await this.call({ method: 'POST', route, body, safe: true, call });
  }

  async patch<T>(route: string, call: CallOptions | undefined, body: unknown): Promise<T> {
    return await this.call({ method: 'PATCH', route, body, call });
  }

  async delete<T>(route: string, call?: CallOptions): Promise<T> {
    return await this.call({ method: 'DELETE', route, call });
  }

  /** The parsed body. An empty body is null. */
  async call<T>(input: RequestInput): Promise<T> {
    return (await this.json<T>(input)).body;
  }

  /** The parsed body and the headers. */
  async json<T>(input: RequestInput): Promise<{ body: T; headers: Headers }> {
    return await this.#withRetries(input, async (response) => {
      const text = await response.text();
      return { body: (text === '' ? null : JSON.parse(text)) as T, headers: response.headers };
    });
  }

  /** The answer when its headers have arrived. From then on only the caller's signal limits it. */
  async open(input: RequestInput): Promise<Response> {
    return await this.#withRetries(input, (response) => response);
  }

  async #withRetries<T>(input: RequestInput, read: (response: Response) => T | Promise<T>): Promise<T> {
    const correlationId = this.#correlationId(input);
    for (let attempt = 0; ; attempt++) {
      try {
        return await this.#once(input, correlationId, read);
      } catch (error) {
        const delayMs = attempt < this.#retry.retries ? this.#retryDelayMs(input, error, attempt) : null;
        if (delayMs === null) throw error;
        await pause(delayMs, input.call?.signal);
      }
    }
  }

  async #once<T>(
    input: RequestInput,
    correlationId: string,
    read: (response: Response) => T | Promise<T>,
  ): Promise<T> {
    const signal = input.call?.signal;
    signal?.throwIfAborted();
    const headers = await this.#headers(input, correlationId);
    const url = this.baseUrl + input.route + queryText(input.query);
    const ofCall = input.call?.timeoutMs;
    const limit = new TimeLimit(ofCall ?? this.#options.timeoutMs ?? requestTimeoutMsDefault, {
      isWhole: ofCall !== undefined,
    });
    try {
      const body = bodyOf(input, limit);
      limit.renew(lengthOf(body.body));
      const response = await this.#fetch(url, {
        method: input.method,
        headers,
        signal: signal === undefined ? limit.signal : AbortSignal.any([signal, limit.signal]),
        ...body,
      });
      limit.renew(Number(response.headers.get('content-length') ?? 0));
      if (!response.ok) throw await readError(response, correlationId);
      return await read(response);
    } catch (error) {
      if (signal?.aborted) throw signal.reason;
      if (error instanceof MooringError) throw error;
      const timedOut = limit.signal.aborted;
      const reason = timedOut ? `no answer within ${limit.ms} ms` : `no answer (${reasonOf(error)})`;
      throw new NoAnswerError(`${input.method} ${input.route}: ${reason}`, {
        correlationId,
        timedOut,
        cause: error,
      });
    } finally {
      limit.end();
    }
  }

  async #headers(input: RequestInput, correlationId: string): Promise<Headers> {
    const token = await this.token();
    const bodyType = input.rawBody === undefined ? 'application/json' : (input.rawType ?? rawTypeDefault);
    const hasBody = input.rawBody !== undefined || input.body !== undefined;
    const own = {
      accept: input.accept ?? 'application/json',
      'x-correlation-id': correlationId,
      authorization: token === undefined ? undefined : `Bearer ${token}`,
      'if-match': input.ifMatch,
      range: input.range,
      'content-type': hasBody ? bodyType : undefined,
    };
    const headers = new Headers();
    for (const [name, text] of [...Object.entries(input.headers ?? {}), ...Object.entries(own)])
      if (text !== undefined) setHeader(headers, name, text);
    return headers;
  }

  #correlationId(input: RequestInput): string {
    const chosen = input.call?.correlationId ?? this.#options.correlationId ?? randomCorrelationId;
    return typeof chosen === 'function' ? chosen() : chosen;
  }

  /** null: no retry. */
  #retryDelayMs(input: RequestInput, error: unknown, attempt: number): number | null {
    if (input.rawBody instanceof ReadableStream) return null;
    const isSafe = input.safe ?? (input.method === 'GET' || input.method === 'HEAD');
    const backoffMs = Math.min(this.#retry.firstDelayMs * 2 ** attempt, this.#retry.delayMsMax);
    const jitteredMs = backoffMs * (0.5 + Math.random() / 2);
    if (error instanceof NoAnswerError) return isSafe && !error.timedOut ? jitteredMs : null;
    if (!(error instanceof MooringError)) return null;
    const { status, retryAfterMs } = error;
    if (retryAfterMs !== null && (status === 429 || status === 503)) {
      // Not before the time in Retry-After. A longer wait than `delayMsMax` is the caller's decision.
      return retryAfterMs > this.#retry.delayMsMax ? null : retryAfterMs + jitteredMs;
    }
    return isSafe && (status === 502 || status === 503 || status === 504) ? jitteredMs : null;
  }
}

/** The error names the header alone. Its text may be a token, which the error of the platform contains. */
function setHeader(headers: Headers, name: string, text: string): void {
  try {
    headers.set(name, text);
  } catch {
    throw new InvalidArgumentError(`the header ${name} contains a character that a header may not contain`);
  }
}

/** The time limit of one request. */
class TimeLimit {
  /** The limit covers the whole request. Its bodies do not extend it. */
  readonly isWhole: boolean;
  ms: number;
  readonly #baseMs: number;
  readonly #ended = new AbortController();
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(baseMs: number, { isWhole }: { readonly isWhole: boolean }) {
    this.isWhole = isWhole;
    this.ms = baseMs;
    this.#baseMs = baseMs;
    this.#timer = setTimeout(() => this.#ended.abort(), baseMs);
  }

  get signal(): AbortSignal {
    return this.#ended.signal;
  }

  /** Begins again, with the time that so many bytes may take. A body may be sent on after the answer: the limit is over then. */
  renew(bytes: number): void {
    if (this.isWhole || this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.ms = Math.min(timerMsMax, this.#baseMs + Math.round(bytes / slowBytesPerMs));
    this.#timer = setTimeout(() => this.#ended.abort(), this.ms);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}

/** About; 0: not known. */
function lengthOf(body: RequestInit['body']): number {
  if (typeof body === 'string') return body.length;
  if (body instanceof Blob) return body.size;
  return body instanceof Uint8Array ? body.length : 0;
}

/** A stream is sent while the answer is awaited (https://fetch.spec.whatwg.org/#dom-requestinit-duplex). Each of its parts renews the limit. */
function bodyOf(
  { body, rawBody }: RequestInput,
  limit: TimeLimit,
): RequestInit & { readonly duplex?: 'half' } {
  if (rawBody instanceof ReadableStream) {
    if (limit.isWhole) return { body: rawBody, duplex: 'half' };
    const renewing = new TransformStream<Uint8Array, Uint8Array>({
      transform: (part, sending) => {
        limit.renew(0);
        sending.enqueue(part);
      },
    });
    return { body: rawBody.pipeThrough(renewing), duplex: 'half' };
  }
  if (rawBody !== undefined) return { body: rawBody as Blob | Uint8Array<ArrayBuffer> };
  return body === undefined ? {} : { body: JSON.stringify(body) };
}

async function readError(response: Response, correlationId: string): Promise<MooringError> {
  const text = await response.text();
  const body = parseObject(text);
  return errorFrom({
    status: response.status,
    code: typeof body.code === 'string' ? body.code : `http_${response.status}`,
    message: typeof body.message === 'string' ? body.message : `the agent answered ${response.status}`,
    correlationId: typeof body.correlationId === 'string' ? body.correlationId : correlationId,
    body,
    retryAfterMs: parseRetryAfterMs(response.headers.get('retry-after')),
  });
}

/** A body that is not a JSON object, for example a page of a proxy, is read as an empty object. */
function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}

/** RFC 9110, 10.2.3: seconds, or a date. */
function parseRetryAfterMs(value: string | null): number | null {
  if (value === null) return null;
  const seconds = Number(value);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1000);
  const date = Date.parse(value);
  return Number.isNaN(date) ? null : Math.max(0, date - Date.now());
}

function queryText(query: RequestInput['query']): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? value : [value]) {
      const text = String(one);
      // It would be sent as another character, so that another file could be read or deleted.
      if (!text.isWellFormed())
        throw new InvalidArgumentError(`${name} contains an unpaired surrogate: ${JSON.stringify(text)}`);
      parameters.append(name, text);
    }
  }
  const text = parameters.toString();
  return text === '' ? '' : `?${text}`;
}

function randomCorrelationId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return `mooring_${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

/** fetch reports the reason, for example `ECONNREFUSED`, as the cause of its error. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  if (cause instanceof Error) return 'code' in cause ? String(cause.code) : cause.message;
  return error.message;
}

/** Waits. Rejects with the signal's reason when it aborts. */
export async function pause(delayMs: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, delayMs);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
