// Commands of envelopes: accept, read long ones, fail, replay, acknowledge.

import { authorityText, combined } from '../../../core/access/authority.ts';
import type { Handlers } from '../../port/commands.ts';
import type { PendingEnvelope, ReplayInput } from '../../port/envelopes.ts';
import { type AcceptDeps, acceptEnvelope } from './accept-envelope.ts';
import { readTexts, storedText } from './envelope-texts.ts';
import { loadEnvelope } from './envelopes.ts';
import { addAttempt, deadLetterEnvelope, type EnvelopeDeps, finishEnvelope } from './finish-envelope.ts';

export function envelopeHandlers(
  deps: AcceptDeps,
): Handlers<
  'accept_envelope' | 'read_envelope_texts' | 'fail_envelope' | 'replay_envelopes' | 'acknowledge_envelopes'
> {
  const { statements } = deps;
  return {
    accept_envelope: (input) => acceptEnvelope(deps, input),
    read_envelope_texts: ({ number }) => readTexts(statements, number),
    fail_envelope({ number, cause, message, atMs, retryAtMs }) {
      const envelope = loadEnvelope(statements, number);
      if (envelope?.state !== 'pending') return false;
      if (retryAtMs === null) {
        deadLetterEnvelope(deps, envelope, cause, message, atMs);
        return true;
      }
      addAttempt(statements, envelope, cause, message, atMs);
      statements.run('UPDATE envelopes SET next_attempt_at = ? WHERE number = ?', retryAtMs, number);
      deps.ingress.count(envelope.workspace, envelope.provider, { retried: 1 });
      return true;
    },
    replay_envelopes: ({ rows, atMs }) => rows.flatMap((row) => replay(deps, row, atMs)),
    acknowledge_envelopes({ numbers, atMs }) {
      let acknowledged = 0;
      for (const number of numbers) {
        const envelope = loadEnvelope(statements, number);
        if (envelope?.state !== 'dead_letter') continue;
        finishEnvelope(deps, envelope, 'acknowledged', atMs);
        acknowledged += 1;
      }
      return acknowledged;
    },
  };
}

/** The queue's limit applies to new envelopes only; a replayed one is always accepted, at its place in the order of arrival. */
function replay(
  { statements, ingress }: EnvelopeDeps,
  input: ReplayInput,
  atMs: number,
): readonly PendingEnvelope[] {
  const envelope = loadEnvelope(statements, input.number);
  if (envelope?.state !== 'dead_letter') return [];
  statements.run(
    `UPDATE envelopes SET state = 1, tries = 0, kind = NULL, next_attempt_at = ?, overwrite_newer = ?,
       edited = coalesce(?, edited), authority = ? WHERE number = ?`,
    atMs,
    input.overwriteNewer ? 1 : 0,
    input.edited === null ? null : storedText(input.edited),
    authorityText(input.actsAs === 'both' ? combined(envelope.authority, input.authority) : input.authority),
    input.number,
  );
  ingress.moveQueue(1, envelope.sizeBytes);
  ingress.count(envelope.workspace, envelope.provider, { pending: 1, dead: -1, replayed: 1 });
  const { number, workspaceId, provider, sizeBytes } = envelope;
  return [{ number, workspaceId, provider, sizeBytes, nextAttemptAtMs: atMs }];
}
