// Changes since a time, and a resource after a change, in the form of the reference.
import { type Static, Type } from 'typebox';
import { NextCursor, Revision, Timestamp } from './common.ts';

export const WireChange = Type.Object({
  id: Type.String({ description: 'Id of the event.', examples: ['evt_42'] }),
  workspace: Type.String(),
  type: Type.Literal('relayfile.changed'),
  occurredAt: Timestamp,
  action: Type.Enum(['file.created', 'file.updated', 'file.deleted']),
  revision: Revision,
  resource: Type.Object({
    path: Type.String(),
    provider: Type.String({ description: 'First segment of the path, in lower case.' }),
  }),
  summary: Type.Object({ title: Type.String({ description: 'The name of the file.' }) }),
  digest: Type.String({ description: '`sha256:` and the hash of the content; `deleted:` and the time.' }),
});
export type WireChange = Static<typeof WireChange>;

export const ChangeList = Type.Object(
  { events: Type.Array(WireChange, { description: 'Oldest first.' }), nextCursor: NextCursor },
  { $id: 'ChangeList' },
);
export type ChangeList = Static<typeof ChangeList>;

export const ChangedResource = Type.Object(
  {
    path: Type.String(),
    data: Type.Unknown({
      description:
        'The content after the change: the value of JSON, else text; binary content as `{contentBase64, contentType, encoding}`; a deletion as `{path, deleted: true}`.',
    }),
    digest: Type.String(),
  },
  { $id: 'ChangedResource' },
);
export type ChangedResource = Static<typeof ChangedResource>;
