// /v1/openapi.json, and the documentation at /docs: static pages that the build of the UI makes. Open, without external requests.
import type { StaticFiles } from '../../platform/files/static-files.ts';
import { ApiError, routeNotFound } from '../base/api-error.ts';
import { route } from '../base/route-options.ts';
import { type App, jsonAnswer, sendJsonText } from '../base/routing.ts';
import { openApiDocument } from '../plugins/openapi.ts';
import { sendStaticFile, staticRoute } from '../request/static-file.ts';

const notBuilt = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Mooring documentation</title></head><body>
<h1>The documentation is not built</h1>
<p>In the checkout run <code>npm run build</code>, then load this page again.</p>
<p>The API is described in <a href="/v1/openapi.json">openapi.json</a>.</p></body></html>
`;

export function registerDocs(app: App, docs: StaticFiles): void {
  registerOpenApi(app);
  app.route({
    ...staticRoute,
    url: '/docs',
    handler: async (request, reply) => {
      const index = await docs.get('/index.html');
      if (index !== null) return sendStaticFile(request, reply, index);
      return reply.code(503).header('content-type', 'text/html; charset=utf-8').send(notBuilt);
    },
  });
  app.route({
    ...staticRoute,
    url: '/docs/*',
    handler: async (request, reply) => {
      const path = `/${(request.params as { '*': string })['*'].replace(/\/$/, '')}`;
      const file = (await docs.get(path)) ?? (await docs.get(path === '/' ? '/index.html' : `${path}.html`));
      if (file === null) throw new ApiError('not_found', routeNotFound);
      return sendStaticFile(request, reply, file);
    },
  });
}

function registerOpenApi(app: App): void {
  // Created at the first request; it does not change while the agent runs.
  let documentText: string | null = null;
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
}
