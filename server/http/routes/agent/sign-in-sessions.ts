// /v1/agent/sign-in/sessions: the signed-in browsers: list them, sign one or all out.
import { expiresAtMs } from '../../../auth/sign-in-sessions.ts';
import { SignInSessionList, SignInSessionsEnded } from '../../../contract/agent.ts';
import { SignInSessionParams } from '../../../contract/parameters.ts';
import { ApiError } from '../../base/api-error.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { commandRoute, route } from '../../base/route-options.ts';
import { type App, emptyAnswer, jsonAnswer, sendJson } from '../../base/routing.ts';
import { callerOf } from '../../plugins/auth.ts';
import { signedInUser } from '../../request/hub-users.ts';
import { wireTime } from '../../wire/records.ts';

const url = '/v1/agent/sign-in/sessions';
const byUsers = { kind: 'owner', users: true } as const;

export function registerSignInSessions(app: App, { signIn, users, log }: HttpDependencies): void {
  app.get(
    url,
    route(byUsers, {
      operationId: 'listSignInSessions',
      tag: 'Sign-in',
      summary: 'List the signed-in browsers',
      points: [
        'Last used first, at most 32 of the owner and of each user. A user is shown those of their own.',
      ],
      answers: { 200: jsonAnswer(SignInSessionList, 'The sign-in sessions.') },
    }),
    async (request, reply) => {
      const current = callerOf(request).token.tokenId;
      const sessions = (await signIn.sessions.list(signedInUser(request) ?? undefined)).map((session) => ({
        sessionId: session.sessionId,
        name: session.name,
        ...(session.origin === null ? {} : { origin: session.origin }),
        createdAt: wireTime(session.createdAtMs),
        lastUsedAt: wireTime(session.lastUsedAtMs),
        expiresAt: wireTime(expiresAtMs(session)),
        ...(session.userId === null
          ? {}
          : { user: users?.directory.find(session.userId)?.name ?? session.userId }),
        isCurrent: session.sessionId === current,
      }));
      return sendJson(reply, SignInSessionList, 200, { sessions });
    },
  );
  app.delete(
    url,
    commandRoute(byUsers, {
      operationId: 'endAllSignInSessions',
      tag: 'Sign-in',
      summary: 'Sign all browsers out',
      points: ['Takes effect immediately: their requests are refused and their streams are closed.'],
      answers: { 200: jsonAnswer(SignInSessionsEnded, 'The number of sessions.') },
    }),
    async (request, reply) => {
      const ended = await signIn.sessions.endAll(signedInUser(request) ?? undefined);
      log.info({ sessions: ended }, 'browsers were signed out');
      return sendJson(reply, SignInSessionsEnded, 200, { ended });
    },
  );
  app.delete(
    `${url}/:sessionId`,
    commandRoute(byUsers, {
      operationId: 'endSignInSession',
      tag: 'Sign-in',
      summary: 'Sign a browser out',
      points: ['Takes effect immediately: its requests are refused and its streams are closed.'],
      params: SignInSessionParams,
      answers: { 204: emptyAnswer('The browser is signed out.') },
      errors: ['not_found'],
    }),
    async (request, reply) => {
      if (!(await signIn.sessions.end(request.params.sessionId, signedInUser(request) ?? undefined)))
        throw new ApiError('not_found', 'sign-in session not found');
      return reply.code(204).send();
    },
  );
}
