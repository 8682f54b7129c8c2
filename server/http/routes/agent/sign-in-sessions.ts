// /v1/agent/sign-in/sessions: the signed-in browsers: list them, sign one or all out.
import { expiresAtMs } from '../../../auth/sign-in-sessions.ts';
import { SignInSessionList, SignInSessionsEnded } from '../../../contract/agent.ts';
import { SignInSessionParams } from '../../../contract/parameters.ts';
import { ApiError } from '../../base/api-error.ts';
import type { HttpDependencies } from '../../base/dependencies.ts';
import { commandRoute, route } from '../../base/route-options.ts';
import { type App, emptyAnswer, jsonAnswer, sendJson } from '../../base/routing.ts';
import { callerOf } from '../../plugins/auth.ts';
import { wireTime } from '../../wire/records.ts';

const url = '/v1/agent/sign-in/sessions';

export function registerSignInSessions(app: App, { signIn, log }: HttpDependencies): void {
  app.get(
    url,
    route('owner', {
      operationId: 'listSignInSessions',
      tag: 'Sign-in',
      summary: 'List the signed-in browsers',
      points: ['Last used first, at most 32.'],
      answers: { 200: jsonAnswer(SignInSessionList, 'The sign-in sessions.') },
    }),
    async (request, reply) => {
      const current = callerOf(request).token.tokenId;
      const sessions = (await signIn.sessions.list()).map((session) => ({
        sessionId: session.sessionId,
        name: session.name,
        ...(session.origin === null ? {} : { origin: session.origin }),
        createdAt: wireTime(session.createdAtMs),
        lastUsedAt: wireTime(session.lastUsedAtMs),
        expiresAt: wireTime(expiresAtMs(session)),
        isCurrent: session.sessionId === current,
      }));
      return sendJson(reply, SignInSessionList, 200, { sessions });
    },
  );
  app.delete(
    url,
    commandRoute('owner', {
      operationId: 'endAllSignInSessions',
      tag: 'Sign-in',
      summary: 'Sign all browsers out',
      points: ['Takes effect immediately: their requests are refused and their streams are closed.'],
      answers: { 200: jsonAnswer(SignInSessionsEnded, 'The number of sessions.') },
    }),
    async (_request, reply) => {
      const ended = await signIn.sessions.endAll();
      log.info({ sessions: ended }, 'all browsers were signed out');
      return sendJson(reply, SignInSessionsEnded, 200, { ended });
    },
  );
  app.delete(
    `${url}/:sessionId`,
    commandRoute('owner', {
      operationId: 'endSignInSession',
      tag: 'Sign-in',
      summary: 'Sign a browser out',
      points: ['Takes effect immediately: its requests are refused and its streams are closed.'],
      params: SignInSessionParams,
      answers: { 204: emptyAnswer('The browser is signed out.') },
      errors: ['not_found'],
    }),
    async (request, reply) => {
      if (!(await signIn.sessions.end(request.params.sessionId)))
        throw new ApiError('not_found', 'sign-in session not found');
      return reply.code(204).send();
    },
  );
}
