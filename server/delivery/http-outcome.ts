// Maps an HTTP answer to the result of an attempt: delivered, refused permanently, failed, or unavailable. The backoff is decided
// elsewhere.
import type { AttemptOutcome, FailureCode } from '../core/outbound/decide-attempt.ts';
import { isNestedTooDeep, isRecord } from '../platform/json/json.ts';
import type { Answer } from './http-client.ts';
import type { AttemptResult } from './lane-port.ts';

/** A provider that asks for more is asked again after this. */
const retryAfterMsMax = 3_600_000;
/** Of a message that a provider wrote. */
const messageCharactersMax = 500;
/** Bytes of a plain-text answer that are read. */
const plainBytesMax = 2_000;

/** `isDeletion`: the request asked for the deletion of a file. */
export function attemptResultOf(answer: Answer, isDeletion: boolean, nowMs: number): AttemptResult {
  if (answer.kind === 'answer') return resultOfAnswer(answer, isDeletion, nowMs);
  return { outcome: outcomeWithoutAnswer(answer), retryAfterMs: null };
}

type Unanswered = Exclude<Answer, { kind: 'answer' }>;

const unanswered = {
  not_allowed: ['refused', 'forbidden'],
  timeout: ['failed', 'timeout'],
  too_large: ['failed', 'unknown'],
  broken_off: ['failed', 'provider_unavailable'],
  unreachable: ['unavailable', 'provider_unavailable'],
  aborted: ['unavailable', 'provider_unavailable'],
} as const satisfies Record<Unanswered['kind'], readonly [AttemptOutcome['kind'], FailureCode]>;

function outcomeWithoutAnswer(answer: Unanswered): AttemptOutcome {
  const [kind, code] = unanswered[answer.kind];
  const message =
    answer.kind === 'aborted' ? 'the agent was stopped before the provider answered' : answer.message;
  return { kind, code, message, httpStatus: answer.kind === 'too_large' ? answer.status : null };
}

type StatusAnswer = Extract<Answer, { kind: 'answer' }>;

function resultOfAnswer(answer: StatusAnswer, isDeletion: boolean, nowMs: number): AttemptResult {
  const { status } = answer;
  if (isSuccess(status)) return { outcome: readDelivery(answer), retryAfterMs: null };
  // What is not there any more is deleted.
  if (isDeletion && (status === 404 || status === 410)) {
    const nothing = { externalId: null, canonicalPath: null, providerResult: null };
    return { outcome: { kind: 'delivered', httpStatus: status, ...nothing }, retryAfterMs: null };
  }
  const kind = kindOf(status);
  const outcome = { kind, code: codeOf(status), message: describeStatus(answer), httpStatus: status };
  return { outcome, retryAfterMs: kind === 'refused' ? null : retryAfterOf(answer.retryAfter, nowMs) };
}

export function isSuccess(status: number): boolean {
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

/** A success may name the object it made. `success: false` is a refusal; other members of the body are ignored. */
function readDelivery({ status, body }: StatusAnswer): AttemptOutcome {
  const said = parseObject(body);
  if (said.success === false) {
    const message = text(said.error) ?? 'the provider answered that it did not succeed';
    return { kind: 'refused', code: 'unknown', message, httpStatus: status };
  }
  const { providerResult } = said;
  return {
    kind: 'delivered',
    httpStatus: status,
    externalId: identifier(said.externalId),
    canonicalPath: identifier(said.canonicalPath),
    providerResult: isRecord(providerResult) ? providerResult : null,
  };
}

export function describeStatus({ status, body }: StatusAnswer): string {
  const words = wordsOf(body);
  const redirected = status >= 300 && status < 400 ? '; redirections are not followed' : '';
  return `it answered ${status}${redirected}${words === null ? '' : `: ${words}`}`;
}

/** Why it refused, in its own words, wherever it put them: RFC 9457, RFC 6749, what most APIs do, or a line of plain text. */
function wordsOf(body: Buffer): string | null {
  const said = parseObject(body);
  const first = Array.isArray(said.errors) ? said.errors[0] : null;
  for (const part of [said, said.error, first]) {
    const words = typeof part === 'string' ? text(part) : isRecord(part) ? ofMember(part) : null;
    if (words !== null) return words;
  }
  return Object.keys(said).length === 0 ? plainLine(body) : null;
}

const members = ['message', 'error', 'detail', 'error_description', 'title'] as const;

function ofMember(part: Readonly<Record<string, unknown>>): string | null {
  return members.map((name) => text(part[name])).find((words) => words !== null) ?? null;
}

/** The first line, unless the body is a page or JSON of another shape. */
function plainLine(body: Buffer): string | null {
  const start = body.subarray(0, plainBytesMax).toString('utf8').trim();
  if (/^[<[{"]/.test(start)) return null;
  return text(start.split('\n', 1)[0]);
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

/** As it was sent: what it names is not ours to change. */
function identifier(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value.slice(0, messageCharactersMax) : null;
}

/** Text of the provider as one line: it is shown in lists and on terminals. */
function text(value: unknown): string | null {
  if (typeof value !== 'string') return null;
  const line = value
    .slice(0, messageCharactersMax)
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  return line === '' ? null : line;
}

/** RFC 9110, 10.2.3: whole seconds or a date. null: absent, unreadable or over. */
export function retryAfterOf(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  const waitMs = /^\d{1,9}$/.test(header.trim()) ? Number(header) * 1000 : Date.parse(header) - nowMs;
  return waitMs > 0 ? Math.min(waitMs, retryAfterMsMax) : null;
}
