// Envelopes, dead letters and their counters.
import type { IngestStore } from '../port/store.ts';
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
import type { StoreDeps } from '../writer/store-parts.ts';
import { senders } from './senders.ts';

export function ingestStore(deps: StoreDeps): IngestStore {
  const { read } = deps;
  return {
    ...senders(deps, {
      accept: 'accept_envelope',
      fail: 'fail_envelope',
      replay: 'replay_envelopes',
      acknowledge: 'acknowledge_envelopes',
    }),
    pending: (after, limit) =>
      read('ingest.pending', (statements) => pendingEnvelopes(statements, after, limit)),
    load: (envelopes) => read('ingest.load', (statements) => readWaiting(statements, envelopes)),
    find: (workspaceId, envelopeId) =>
      read('ingest.find', (statements) => findEnvelope(statements, workspaceId, envelopeId)),
    findDead: (envelopeId) =>
      read('ingest.findDead', (statements) => findDeadLetters(statements, envelopeId)),
    attempts: (number) => read('ingest.attempts', (statements) => listAttempts(statements, number)),
    deadLetters: (query) => read('ingest.deadLetters', (statements) => listDeadLetters(statements, query)),
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
