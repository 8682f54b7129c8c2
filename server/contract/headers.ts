// Request headers.
import { Type } from 'typebox';

/** For every route with a token, except the WebSocket and the metrics. */
export const CorrelationHeaders = Type.Object({
  'x-correlation-id': Type.String({
    description: 'Free text of the caller, 1 to 1,024 characters. Repeated in errors, events and operations.',
    examples: ['demo-1'],
  }),
});

/** For the control plane, whose clients send none. */
export const OptionalCorrelationHeaders = Type.Object({
  'x-correlation-id': Type.Optional(CorrelationHeaders.properties['x-correlation-id']),
});

export const TarballFetchHeaders = Type.Object({
  ...CorrelationHeaders.properties,
  'x-github-token': Type.Optional(
    Type.String({ description: 'Sent to the first host as a bearer token; never stored or logged.' }),
  ),
});

export const IfMatchHeaders = Type.Object({
  ...CorrelationHeaders.properties,
  'if-match': Type.String({
    description:
      '`*`: create or overwrite. `0`: must not exist. A revision: must be the current one. Missing: 412.',
    examples: ['*', 'rev_42'],
  }),
});

export const ReadFileHeaders = Type.Object({
  ...CorrelationHeaders.properties,
  'if-none-match': Type.Optional(
    Type.String({ description: 'Revisions of the caller; 304 without a body if one is current.' }),
  ),
  accept: Type.Optional(
    Type.String({ description: '`application/octet-stream`: raw bytes. Any other value: JSON.' }),
  ),
  range: Type.Optional(
    Type.String({
      description: 'A range of the raw bytes, `bytes=<first>-<last>`; several ranges return the whole file.',
    }),
  ),
  'if-range': Type.Optional(
    Type.String({
      description: 'Applies the range only to this revision; otherwise returns the whole file.',
    }),
  ),
});
