// The change log as clients of the reference read it: what changed since a time or lately, and a resource as a change left it.
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
    provider: Type.String({ description: 'First segment of the path, lower-cased.' }),
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
        'The content as the change left it: parsed where it is JSON, else the text; bytes as `{contentBase64, contentType, encoding}`; `{path, deleted: true}` where it was deleted.',
    }),
    digest: Type.String(),
  },
  { $id: 'ChangedResource' },
);
export type ChangedResource = Static<typeof ChangedResource>;
