// The `http` kind: items are POSTed, signed, to the provider's address, and its refresh address is pulled. Here is what an
// answer means; when it is tried again is not decided here.
import type { AttemptOutcome, FailureCode } from '../core/writeback.ts';
import type { Clock } from '../platform/clock.ts';
import { isNestedTooDeep } from '../platform/json-nesting.ts';
import { packageVersion } from '../platform/version.ts';
import type { Allowed } from './addresses.ts';
import { type Answer, createCaller } from './http-call.ts';
import {
  type DeliveryEnd,
  type OutboundItem,
  type PreparedRequest,
  type Provider,
  PullFailedError,
} from './provider.ts';
import { readPulledPage } from './pulled-page.ts';
import { signedHeaders } from './signature.ts';

export interface HttpProviderSettings {
  readonly url: string;
  readonly refreshUrl: string | null;
  readonly allowed: Allowed;
  readonly timeoutMs: number;
  /** The secret's bytes. */
  readonly key: Uint8Array;
}

const mebibyte = 1024 * 1024;
/** Of an answer to an item: a few ids, not a document. */
const deliveryAnswerBytesMax = 64 * 1024;
/** Of one page of a refresh. */
const pulledPageBytesMax = 32 * mebibyte;
/** A provider that asks for more is asked again after this. */
const retryAfterMsMax = 3_600_000;
/** Of a message that a provider wrote. */
const messageCharactersMax = 500;

export function createHttpProvider(
  settings: HttpProviderSettings,
  clock: Pick<Clock, 'delay' | 'nowMs' | 'monotonicMs'>,
): Provider {
  const { url, refreshUrl, timeoutMs, key } = settings;
  const caller = createCaller(settings.allowed, clock);
  const signed = (id: string, body: string) => signedHeaders(key, { id, atMs: clock.nowMs(), body });
  const post = (request: PreparedRequest, id: string, signal: AbortSignal) =>
    caller.call({
      ...request,
      headers: { ...request.headers, ...signed(id, request.body) },
      timeoutMs,
      answerBytesMax: deliveryAnswerBytesMax,
      signal,
    });
  return {
    prepare: (item) => prepare(url, item),
    async deliver(item, signal) {
      const answer = await post(prepare(url, item), item.idempotencyKey, signal);
      return endOf(answer, item, clock.nowMs());
    },
    async send(body, id, signal) {
      const answer = await post({ method: 'POST', url, headers: plainHeaders(id), body }, id, signal);
      return endOf(answer, null, clock.nowMs());
    },
    async test(id) {
      const startedAtMs = clock.monotonicMs();
      const body = JSON.stringify({
        type: 'mooring.test',
        timestamp: new Date(clock.nowMs()).toISOString(),
        data: {},
      });
      const request = { method: 'POST', url, headers: plainHeaders(id), body } as const;
      const answer = await post(request, id, new AbortController().signal);
      const tookMs = Math.round(clock.monotonicMs() - startedAtMs);
      if (answer.kind !== 'answer') {
        const message = answer.kind === 'aborted' ? 'the call was ended' : answer.message;
        return { ok: false, httpStatus: null, tookMs, message };
      }
      const ok = isSuccess(answer.status);
      const message = ok ? 'it took the test message' : describeStatus(answer);
      return { ok, httpStatus: answer.status, tookMs, message };
    },
    pull:
      refreshUrl === null
        ? null
        : async (cursor, id, signal) => {
            const from = new URL(refreshUrl);
            if (cursor !== null) from.searchParams.set('cursor', cursor);
            const answer = await caller.call({
              method: 'GET',
              url: from.href,
              headers: { ...plainHeaders(id), ...signed(id, '') },
              body: null,
              timeoutMs,
              answerBytesMax: pulledPageBytesMax,
              signal,
            });
            if (answer.kind === 'aborted') throw new PullFailedError('the agent was stopped');
            if (answer.kind !== 'answer') throw new PullFailedError(answer.message);
            if (!isSuccess(answer.status)) throw new PullFailedError(describeStatus(answer));
            return readPulledPage(answer.body);
          },
    close: () => caller.close(),
  };
}

function plainHeaders(id: string): Readonly<Record<string, string>> {
  return {
    'content-type': 'application/json',
    accept: 'application/json',
    'user-agent': `Mooring/${packageVersion}`,
    'idempotency-key': id,
  };
}

function prepare(url: string, item: OutboundItem): PreparedRequest {
  const { content } = item;
  const isText = content?.encoding === 'utf-8';
  const data = {
    id: item.opId,
    workspaceId: item.workspaceId,
    provider: item.provider,
    path: item.path,
    action: item.action,
    revision: `rev_${item.revision}`,
    correlationId: item.correlationId,
    /** A webhook about this change that says the same again is taken for an echo. */
    origin: 'relayfile',
    opId: item.opId,
    ...(content === null
      ? {}
      : {
          contentType: content.contentType,
          encoding: content.encoding,
          content: Buffer.from(
            content.bytes.buffer,
            content.bytes.byteOffset,
            content.bytes.byteLength,
          ).toString(isText ? 'utf8' : 'base64'),
          contentHash: content.hash,
          ...(content.providerObjectId === null ? {} : { providerObjectId: content.providerObjectId }),
          semantics: content.semantics,
        }),
  };
  const type = item.action === 'file_delete' ? 'file.deleted' : 'file.updated';
  return {
    method: 'POST',
    url,
    headers: {
      ...plainHeaders(item.idempotencyKey),
      ...(isHeaderValue(item.correlationId) ? { 'x-correlation-id': item.correlationId } : {}),
    },
    body: JSON.stringify({ type, timestamp: new Date(item.madeAtMs).toISOString(), data }),
  };
}

/** Correlation ids are free text; in a header only visible ASCII survives (RFC 9110, 5.5). */
function isHeaderValue(text: string): boolean {
  return /^[\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?$/.test(text);
}

// ---- what an answer means

function endOf(answer: Answer, item: OutboundItem | null, nowMs: number): DeliveryEnd {
  if (answer.kind === 'answer') return endOfAnswer(answer, item, nowMs);
  return { outcome: outcomeWithoutAnswer(answer), retryAfterMs: null };
}

function outcomeWithoutAnswer(answer: Exclude<Answer, { kind: 'answer' }>): AttemptOutcome {
  switch (answer.kind) {
    case 'not_allowed':
      return { kind: 'refused', code: 'forbidden', message: answer.message, httpStatus: null };
    case 'timeout':
      return { kind: 'failed', code: 'timeout', message: answer.message, httpStatus: null };
    case 'too_large':
      return { kind: 'failed', code: 'unknown', message: answer.message, httpStatus: answer.status };
    case 'broken_off':
      return { kind: 'failed', code: 'provider_unavailable', message: answer.message, httpStatus: null };
    case 'unreachable':
      return {
        kind: 'unavailable',
        code: 'provider_unavailable',
        message: answer.message,
        httpStatus: null,
      };
    case 'aborted':
      return {
        kind: 'unavailable',
        code: 'provider_unavailable',
        message: 'the agent was stopped before the provider answered',
        httpStatus: null,
      };
    default:
      return answer satisfies never;
  }
}

type StatusAnswer = Extract<Answer, { kind: 'answer' }>;

function endOfAnswer(answer: StatusAnswer, item: OutboundItem | null, nowMs: number): DeliveryEnd {
  const { status } = answer;
  if (isSuccess(status)) return { outcome: readDelivery(answer), retryAfterMs: null };
  // What is not there any more is deleted.
  if (item?.action === 'file_delete' && (status === 404 || status === 410)) {
    const nothing = { externalId: null, canonicalPath: null, providerResult: null };
    return { outcome: { kind: 'delivered', httpStatus: status, ...nothing }, retryAfterMs: null };
  }
  const kind = kindOf(status);
  const outcome = { kind, code: codeOf(status), message: describeStatus(answer), httpStatus: status };
  return { outcome, retryAfterMs: kind === 'refused' ? null : retryAfterOf(answer.retryAfter, nowMs) };
}

function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function kindOf(status: number): 'refused' | 'failed' | 'unavailable' {
  if ([429, 502, 503, 504].includes(status)) return 'unavailable';
  // The client took too long, or came too early (RFC 9110, 15.5.9; RFC 8470): the same request may do.
  if (status === 408 || status === 425) return 'failed';
  // Redirections are not followed: they come from captive portals as often as from providers that moved.
  return status >= 400 && status < 500 ? 'refused' : 'failed';
}

const codes: Readonly<Record<number, FailureCode>> = {
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not_found',
  408: 'timeout',
  409: 'conflict',
  429: 'rate_limited',
  504: 'timeout',
};

function codeOf(status: number): FailureCode {
  return codes[status] ?? (status >= 500 ? 'provider_unavailable' : 'unknown');
}

/** A success may name what it made. Anything else in its body is nobody's business; a plain "no" in it is believed. */
function readDelivery({ status, body }: StatusAnswer): AttemptOutcome {
  const said = parseObject(body);
  if (said.success === false) {
    const message = text(said.error) ?? 'the provider answered that it did not succeed';
    return { kind: 'refused', code: 'unknown', message, httpStatus: status };
  }
  const { providerResult } = said;
  const isRecord =
    typeof providerResult === 'object' && providerResult !== null && !Array.isArray(providerResult);
  return {
    kind: 'delivered',
    httpStatus: status,
    externalId: text(said.externalId),
    canonicalPath: text(said.canonicalPath),
    providerResult: isRecord ? (providerResult as Record<string, unknown>) : null,
  };
}

function describeStatus({ status, body }: StatusAnswer): string {
  const said = parseObject(body);
  const words = text(said.message) ?? text(said.error);
  const redirected = status >= 300 && status < 400 ? '; redirections are not followed' : '';
  return `it answered ${status}${redirected}${words === null ? '' : `: ${words}`}`;
}

function parseObject(body: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(body.toString('utf8'));
    const isReadable = typeof value === 'object' && value !== null && !isNestedTooDeep(value, body.length);
    return isReadable ? (value as Record<string, unknown>) : {};
  } catch {
    // Not JSON: then it says nothing.
    return {};
  }
}

function text(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, messageCharactersMax) : null;
}

/** RFC 9110, 10.2.3: whole seconds or a date. null: absent, unreadable or over. */
export function retryAfterOf(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  const waitMs = /^\d{1,9}$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return waitMs > 0 ? Math.min(waitMs, retryAfterMsMax) : null;
}
