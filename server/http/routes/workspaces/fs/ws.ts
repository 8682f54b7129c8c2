// GET W/fs/ws without an upgrade: 426 after the usual checks.
import { SocketQueryParameters, WorkspaceParams } from '../../../../contract/parameters.ts';
import { route } from '../../../base/route-options.ts';
import { type App, emptyAnswer, mediaAnswer } from '../../../base/routing.ts';
import { queryOf } from '../../../plugins/auth.ts';
import type { SocketServer } from '../../../socket/upgrade.ts';

export function registerSocketRoute(app: App, sockets: SocketServer): void {
  app.get(
    '/v1/workspaces/:workspaceId/fs/ws',
    route('open', {
      operationId: 'streamEvents',
      tag: 'Events',
      summary: 'Stream events over a WebSocket',
      callers: 'Scope: `fs:read` on each `path` filter, or on the root without filters.',
      points: [
        'One JSON text frame per event, in the form of the feed.',
        'Frames of created and updated files of at most 1 MiB have `content`, `contentType`, `encoding` and `inlineContent: true`, if the file is still current and the stream is not congested.',
        '`cursor`: starts after that event. `from=now`: only new events. Neither: the last 100 events first.',
        '`{"type":"ping"}` is answered with `{"type":"pong","timestamp"}`.',
        'Close codes: 1001 the agent stops; 1007 a message is not JSON; 1008 the token has expired or was revoked; 1009 a message has over 64 KiB; 1013 the client is more than 4,096 events behind (reconnect from the last event); 4410 the cursor is older than the retained events (read the tree again).',
      ],
      security: [{ token: [] }, { bearer: [] }],
      params: WorkspaceParams,
      query: SocketQueryParameters,
      answers: {
        101: emptyAnswer('The stream is open.'),
        426: mediaAnswer(['text/plain; charset=utf-8'], 'The request asks for no upgrade.'),
      },
      errors: ['rate_limited'],
    }),
    async (request, reply) => {
      await sockets.authorize({
        workspaceId: request.params.workspaceId,
        query: queryOf(request),
        headers: request.headers,
      });
      return reply
        .code(426)
        .header('upgrade', 'websocket')
        .header('connection', 'Upgrade')
        .header('content-type', 'text/plain; charset=utf-8')
        .send('this is a WebSocket: connect with an Upgrade header\n');
    },
  );
}
