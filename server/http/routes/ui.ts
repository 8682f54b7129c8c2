// Serves the files of the UI at `/`: open, static, without secrets. It serves entries of its map and never reads a path from the disk.
import type { StaticFiles } from '../../platform/files/static-files.ts';
import { ApiError, routeNotFound } from '../base/api-error.ts';
import type { App } from '../base/routing.ts';
import { pageHeaders, sendStaticFile, staticRoute } from '../request/static-file.ts';

const notBuilt = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Mooring</title></head><body>
<h1>The agent runs, its UI is not built</h1>
<p>In the checkout run <code>npm run build</code>, then load this page again.</p>
<p>The API works without it: see <a href="/docs">/docs</a>.</p></body></html>
`;

export function registerUi(app: App, ui: StaticFiles): void {
  app.route({
    ...staticRoute,
    url: '/',
    handler: async (request, reply) => {
      const index = await ui.get('/index.html');
      if (index !== null) return sendStaticFile(request, reply, index);
      return reply
        .code(503)
        .headers(pageHeaders)
        .header('content-type', 'text/html; charset=utf-8')
        .send(notBuilt);
    },
  });
  app.route({
    ...staticRoute,
    url: '/*',
    handler: async (request, reply) => {
      const path = `/${(request.params as { '*': string })['*']}`;
      const file = await ui.get(path);
      if (file !== null) return sendStaticFile(request, reply, file);
      // Only for page loads of a browser; programs get the 404 of an unknown route.
      const wantsPage = request.headers.accept?.includes('text/html') === true && !path.startsWith('/v1/');
      const index = wantsPage && !/\.[a-z0-9]+$/i.test(path) ? await ui.get('/index.html') : null;
      if (index === null) throw new ApiError('not_found', routeNotFound);
      return sendStaticFile(request, reply, index);
    },
  });
}
