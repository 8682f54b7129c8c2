// GET W/fs/ws without an upgrade: the stream needs a WebSocket, and says so after the checks that it makes anyway.
import { SocketQueryParameters, WorkspaceParams } from '../../../../contract/parameters.ts';
import { type App, emptyAnswer, errorAnswers, mediaAnswer, workspaceErrors } from '../../../base/routing.ts';
import { queryOf } from '../../../plugins/auth.ts';
import type { SocketServer } from '../../../socket/upgrade.ts';

export function registerSocketRoute(app: App, sockets: SocketServer): void {
  app.get(
    '/v1/workspaces/:workspaceId/fs/ws',
    {
      config: { access: { kind: 'open' } },
      schema: {
        operationId: 'streamEvents',
        tags: ['Events'],
        summary: 'Live stream of events (WebSocket)',
        description:
          'Scope: `fs:read` on each `path` filter, on the root without any. One JSON text frame for each event, shaped as in the feed; created and updated files of at most 1 MiB that are still current carry, unless much waits to be sent, `content`, `contentType`, `encoding` and `inlineContent: true`. With `cursor` everything after it comes first, with `from=now` nothing, with neither the last 100 events. `{"type":"ping"}` is answered with `{"type":"pong","timestamp"}`. Closes: 1001 the agent stops, 1007 a message that is no JSON, 1008 the token ended, 1009 a message over 64 KiB, 1013 the client is more than 4,096 events behind (reconnect from the last event), 4410 the cursor is older than what is kept (read the tree again).',
        security: [{ token: [] }, { bearer: [] }],
        params: WorkspaceParams,
        querystring: SocketQueryParameters,
        response: {
          101: emptyAnswer('The stream is open.'),
          426: mediaAnswer(['text/plain; charset=utf-8'], 'The request asks for no upgrade.'),
          ...errorAnswers([...workspaceErrors, 'rate_limited']),
        },
      },
    },
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
