// The event feed and the frames of the WebSocket stream.
import { type Static, Type } from 'typebox';
import { ContentHash, NextCursor, Timestamp } from './common.ts';
import { origins } from './words.ts';

export const eventTypes = [
  'file.created',
  'file.updated',
  'file.deleted',
  'dir.created',
  'dir.deleted',
  'sync.error',
  'sync.ignored',
  'sync.suppressed',
  'sync.stale',
  'writeback.failed',
  'writeback.succeeded',
] as const;
export type EventType = (typeof eventTypes)[number];

export const WorkspaceEvent = Type.Object({
  eventId: Type.String({ examples: ['evt_42'] }),
  type: Type.Enum([...eventTypes]),
  path: Type.String(),
  revision: Type.String({ description: 'Empty for sync events.' }),
  contentHash: Type.Optional(ContentHash),
  origin: Type.Enum([...origins]),
  provider: Type.Optional(Type.String()),
  correlationId: Type.String(),
  timestamp: Timestamp,
});
export type WorkspaceEvent = Static<typeof WorkspaceEvent>;

export const EventPage = Type.Object(
  { events: Type.Array(WorkspaceEvent), nextCursor: NextCursor },
  { $id: 'EventPage' },
);
export type EventPage = Static<typeof EventPage>;

/** A frame of `fs/ws`: an event, with the content of small created or updated files inline. */
export interface EventFrame extends Omit<WorkspaceEvent, 'correlationId'> {
  correlationId?: string;
  contentType?: string;
  content?: string;
  encoding?: 'base64';
  inlineContent?: true;
}
