// One broken webhook for each cause that a payload alone can have, and what mends it. Used by every way to mend one: the room,
// the API, the command line.
import type { FailureCause } from '../../server/contract/sync.ts';

export interface DeadLetterCase {
  readonly cause: FailureCause;
  readonly provider: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** A JSON merge patch that mends the payload. */
  readonly patch: Readonly<Record<string, unknown>>;
  readonly path: string;
  readonly content: string;
}

/** The agent must take contents of at most this many bytes for the cases to be what they say. */
export const caseContentBytesMax = 2_048;
/** A file must lie here, so that nothing can lie below it. */
export const takenPath = '/hub/taken';

const written = (path: string, data: Readonly<Record<string, unknown>>) => ({
  event_type: 'file.created',
  path,
  data,
});

export const deadLetterCases: readonly DeadLetterCase[] = [
  {
    cause: 'payload_malformed',
    provider: 'hub',
    payload: written('/hub/1.md', { text: 'one' }),
    patch: { data: { text: null, content: 'one' } },
    path: '/hub/1.md',
    content: 'one',
  },
  {
    cause: 'event_type_malformed',
    provider: 'hub',
    payload: { ...written('/hub/2.md', { content: 'two' }), event_type: 'file created!' },
    patch: { event_type: 'file.created' },
    path: '/hub/2.md',
    content: 'two',
  },
  {
    cause: 'path_invalid',
    provider: 'hub',
    payload: written('/hub/../3.md', { content: 'three' }),
    patch: { path: '/hub/3.md' },
    path: '/hub/3.md',
    content: 'three',
  },
  {
    cause: 'path_refused_by_provider',
    provider: 'slack',
    payload: written('/slack/files/4.md', { content: 'four' }),
    patch: { path: '/slack/channels/4.md' },
    path: '/slack/channels/4.md',
    content: 'four',
  },
  {
    cause: 'path_taken',
    provider: 'hub',
    payload: written(`${takenPath}/5.md`, { content: 'five' }),
    patch: { path: '/hub/5.md' },
    path: '/hub/5.md',
    content: 'five',
  },
  {
    cause: 'content_undecodable',
    provider: 'hub',
    payload: written('/hub/6.md', { content: 'c2l4!', encoding: 'base64' }),
    patch: { data: { content: 'c2l4' } },
    path: '/hub/6.md',
    content: 'six',
  },
  {
    cause: 'content_too_large',
    provider: 'hub',
    payload: written('/hub/7.md', { content: 'x'.repeat(caseContentBytesMax + 1) }),
    patch: { data: { content: 'seven' } },
    path: '/hub/7.md',
    content: 'seven',
  },
  {
    cause: 'access_rules_refused',
    provider: 'hub',
    payload: written('/hub/8/.relayfile.acl', {
      content: '{"semantics":{"permissions":["deny:agent:two"]}}',
    }),
    patch: { path: '/hub/8/rules.json' },
    path: '/hub/8/rules.json',
    content: '{"semantics":{"permissions":["deny:agent:two"]}}',
  },
];
