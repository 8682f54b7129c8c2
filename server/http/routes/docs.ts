// /v1/openapi.json and /docs: the API as an OpenAPI document and as a page. Open, static, without external requests.

import { route } from '../base/route-options.ts';
import { type App, jsonAnswer, sendJsonText } from '../base/routing.ts';
import { docsPage, docsStyle } from '../docs/page.ts';
import { openApiDocument } from '../plugins/openapi.ts';

const contentSecurityPolicy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

export function registerDocs(app: App): void {
  // Created at the first request; they do not change while the agent runs.
  let documentText: string | null = null;
  let page: string | null = null;

  app.get(
    '/v1/openapi.json',
    route('open', {
      operationId: 'getOpenApi',
      tag: 'Agent',
      summary: 'Get this document',
      points: ['The OpenAPI 3.1 document of this agent.'],
      answers: { 200: jsonAnswer({ type: 'object' }, 'The document.') },
    }),
    (_request, reply) => {
      documentText ??= JSON.stringify(openApiDocument(app));
      return sendJsonText(reply, 200, documentText);
    },
  );

  app.get('/docs', { config: { access: { kind: 'open' } }, schema: { hide: true } }, (_request, reply) => {
    page ??= docsPage(openApiDocument(app));
    return reply
      .header('content-type', 'text/html; charset=utf-8')
      .header('content-security-policy', contentSecurityPolicy)
      .header('x-content-type-options', 'nosniff')
      .send(page);
  });

  app.get(
    '/docs/style.css',
    { config: { access: { kind: 'open' } }, schema: { hide: true } },
    (_request, reply) => reply.header('content-type', 'text/css; charset=utf-8').send(docsStyle),
  );
}
