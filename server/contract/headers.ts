// Headers that a request carries, described once.
import { Type } from 'typebox';

/** Of every route that needs a token, except the WebSocket and the metrics. */
export const CorrelationHeaders = Type.Object({
  'x-correlation-id': Type.String({
    description:
      'Free text of the caller, 1 to 1,024 characters. Comes back in errors, events and operations.',
    examples: ['demo-1'],
  }),
});

/** Of the control plane, whose clients send none. */
export const OptionalCorrelationHeaders = Type.Object({
  'x-correlation-id': Type.Optional(CorrelationHeaders.properties['x-correlation-id']),
});

export const TarballFetchHeaders = Type.Object({
  'x-correlation-id': CorrelationHeaders.properties['x-correlation-id'],
  'x-github-token': Type.Optional(
    Type.String({ description: 'Goes to the first host as a bearer token; never stored or logged.' }),
  ),
});

export const IfMatchHeaders = Type.Object({
  'x-correlation-id': CorrelationHeaders.properties['x-correlation-id'],
  'if-match': Type.String({
    description:
      '`*`: create or overwrite. `0`: must not exist yet. A revision: must be the current one. Missing: 412.',
    examples: ['*', 'rev_42'],
  }),
});

const IfNoneMatchHeaders = Type.Object({
  'x-correlation-id': CorrelationHeaders.properties['x-correlation-id'],
  'if-none-match': Type.Optional(
    Type.String({ description: 'Revisions that the caller has; 304 without a body when one is current.' }),
  ),
});

export const ReadFileHeaders = Type.Object({
  ...IfNoneMatchHeaders.properties,
  accept: Type.Optional(
    Type.String({ description: '`application/octet-stream`: the bare bytes. Anything else: JSON.' }),
  ),
  range: Type.Optional(
    Type.String({
      description: 'Of bare bytes one part, `bytes=<first>-<last>`; several are answered with all.',
    }),
  ),
  'if-range': Type.Optional(Type.String({ description: 'Only a part of this revision; else all.' })),
});
