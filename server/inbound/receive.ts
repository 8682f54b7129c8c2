// Accepts envelopes: each is durable before the answer. It reads a payload only to find out whether it may be coalesced; an
// invalid payload is accepted too and becomes a dead letter.
import { type Authority, authorityText } from '../core/access/authority.ts';
import type { Clock } from '../platform/clock.ts';
import type {
  AcceptInput,
  AcceptResult,
  EnvelopeText,
  IngestStore,
  PendingEnvelope,
} from '../store/port/store.ts';
import type { Backpressure } from './backpressure.ts';
import { coalesceWindowMs, type IngestKillPoint, queueBytesMax } from './context.ts';
import { type Envelope, envelopeText, type Fields, pathIn, shapeOf } from './envelope.ts';

export interface Received extends Envelope {
  readonly workspaceId: string;
  readonly provider: string;
  readonly envelopeId: string | null;
  readonly deliveryId: string | null;
  /** When it happened at the provider; null when not given. A later time than now counts as now. */
  readonly occurredAtMs: number | null;
  readonly correlationId: string;
  readonly signature: { readonly value: string; readonly expiresAtMs: number } | null;
  /** On whose authority it is applied; null: as its provider. */
  readonly authority: Authority | null;
}

export type ReceiveResult =
  | { readonly kind: 'queued'; readonly envelopeId: string; readonly repeated: boolean }
  | { readonly kind: Exclude<AcceptResult['kind'], 'accepted' | 'duplicate'> };

export interface ReceiveParts {
  readonly store: Pick<IngestStore, 'accept'>;
  readonly clock: Pick<Clock, 'nowMs'>;
  readonly queueCapacity: number;
  readonly contentBytesMax: number;
  readonly atKillPoint: (point: IngestKillPoint) => void;
  /** Notified when each intake begins and ends. */
  readonly backpressure: Pick<Backpressure, 'began' | 'ended'>;
  /** Called with each new pending envelope and its payload. */
  readonly onPending: (pending: PendingEnvelope, payload: Fields) => void;
}

export async function receive(parts: ReceiveParts, received: Received): Promise<ReceiveResult> {
  const { workspaceId } = received;
  const provider = received.provider.toLowerCase();
  const body = await envelopeText(received);
  const input = acceptInputOf(parts, received, provider, body);
  parts.atKillPoint('receive.read');
  parts.backpressure.began();
  let accepted: AcceptResult;
  try {
    accepted = await parts.store.accept(input);
  } finally {
    parts.backpressure.ended();
  }
  if (accepted.kind === 'duplicate')
    return { kind: 'queued', envelopeId: accepted.envelopeId, repeated: true };
  if (accepted.kind !== 'accepted') return { kind: accepted.kind };
  parts.atKillPoint('receive.accepted');
  const { number } = accepted;
  const { sizeBytes } = input;
  parts.onPending({ number, workspaceId, provider, sizeBytes, nextAttemptAtMs: null }, received.payload);
  return { kind: 'queued', envelopeId: accepted.envelopeId, repeated: false };
}

function acceptInputOf(
  parts: ReceiveParts,
  received: Received,
  provider: string,
  body: EnvelopeText,
): AcceptInput {
  const { workspaceId, correlationId, envelopeId, deliveryId, signature, payload } = received;
  const atMs = parts.clock.nowMs();
  return {
    workspaceId,
    provider,
    envelopeId,
    deliveryId,
    correlationId,
    atMs,
    // A clock that runs ahead must not make everything that follows look old.
    occurredAtMs: received.occurredAtMs === null ? null : Math.min(received.occurredAtMs, atMs),
    body,
    sizeBytes: typeof body === 'string' ? Buffer.byteLength(body) : body.length,
    path: pathIn(payload),
    shape: shapeOf(provider, payload, parts.contentBytesMax),
    coalesceWindowMs,
    capacity: { envelopes: parts.queueCapacity, bytes: queueBytesMax },
    signature,
    authority: authorityText(received.authority),
  };
}
