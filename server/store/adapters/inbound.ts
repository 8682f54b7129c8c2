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
import { readers, senders } from './port-methods.ts';

export function ingestStore(deps: StoreDeps): IngestStore {
  return {
    ...senders(deps, {
      accept: 'accept_envelope',
      fail: 'fail_envelope',
      replay: 'replay_envelopes',
      acknowledge: 'acknowledge_envelopes',
    }),
    ...readers(deps, 'ingest', {
      pending: pendingEnvelopes,
      load: readWaiting,
      find: findEnvelope,
      findDead: findDeadLetters,
      attempts: listAttempts,
      deadLetters: listDeadLetters,
      ingress: listIngress,
      queue: queueCounts,
      deadLetterCauses,
      lastErrors,
      fileProviders,
    }),
  };
}
