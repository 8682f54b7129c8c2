// The part of the port about what comes in: envelopes, dead letters, their counters.

import type { IngestStore, Prepared } from '../port/envelopes.ts';
import { fileProviders } from '../tables/files/tree.ts';
import {
  deadLetterCauses,
  findDeadLetters,
  lastErrors,
  listAttempts,
  listDeadLetters,
} from '../tables/inbound/dead-letters.ts';
import { findEnvelope, pendingEnvelopes, readWaiting } from '../tables/inbound/envelopes.ts';
import { listIngress, queueCounts } from '../tables/inbound/ingress.ts';
import type { StoreParts } from '../writer/store-parts.ts';

export function ingestStore({ read, send, blobs }: StoreParts): IngestStore {
  const unstage = (prepared: Prepared) => {
    if (prepared.ok && prepared.delivery.kind === 'upsert' && 'staged' in prepared.delivery.content) {
      blobs.unstage(prepared.delivery.content.hash);
    }
  };
  return {
    accept: (input) => send('accept_envelope', input),
    pending: (after, limit) =>
      read('ingest.pending', (statements) => pendingEnvelopes(statements, after, limit)),
    load: (numbers) => read('ingest.load', (statements) => readWaiting(statements, numbers)),
    find: (workspaceId, envelopeId) =>
      read('ingest.find', (statements) => findEnvelope(statements, workspaceId, envelopeId)),
    findDead: (envelopeId) =>
      read('ingest.findDead', (statements) => findDeadLetters(statements, envelopeId)),
    async apply(workspaceId, inputs, atMs) {
      try {
        return await send('apply_envelopes', { workspaceId, inputs, atMs });
      } finally {
        for (const { prepared } of inputs) unstage(prepared);
      }
    },
    async preview(input) {
      try {
        return await send('preview_envelope', input);
      } finally {
        unstage(input.prepared);
      }
    },
    fail: (input) => send('fail_envelope', input),
    attempts: (number) => read('ingest.attempts', (statements) => listAttempts(statements, number)),
    deadLetters: (query) => read('ingest.deadLetters', (statements) => listDeadLetters(statements, query)),
    replay: (rows, atMs) => send('replay_envelopes', { rows, atMs }),
    acknowledge: (numbers, atMs) => send('acknowledge_envelopes', { numbers, atMs }),
    ingress: (workspaceId) => read('ingest.ingress', (statements) => listIngress(statements, workspaceId)),
    queue: () => read('ingest.queue', queueCounts),
    deadLetterCauses: (workspaceId) =>
      read('ingest.deadLetterCauses', (statements) => deadLetterCauses(statements, workspaceId)),
    lastErrors: (workspaceId) =>
      read('ingest.lastErrors', (statements) => lastErrors(statements, workspaceId)),
    fileProviders: (workspaceId) =>
      read('ingest.fileProviders', (statements) => fileProviders(statements, workspaceId)),
  };
}
