import { expect, test } from 'vitest';
import { errorCatalogue } from '../../server/contract/errors.ts';
import { eventTypes } from '../../server/contract/events.ts';
import { bareScopes, webhookScopes } from '../../server/core/access/scope.ts';
import * as limits from '../../server/http/base/limits.ts';
import { startHttpAgent } from '../support/http-agent.ts';

test('the page at /docs holds every endpoint with an example, error code, scope, event type and limit, and what is not offered', async () => {
  const agent = await startHttpAgent();
  const page = await (await fetch(`${agent.url}/docs`)).text();
  const document = agent.app.openApiDocument() as { paths: Record<string, Record<string, unknown>> };
  const paths = Object.keys(document.paths);
  const words = [...Object.keys(errorCatalogue), ...eventTypes, ...bareScopes, ...webhookScopes];
  const notOffered = ['/api/v1/workspaces/{workspaceId}/integrations', 'relaycastApiKey'];
  const missing = [...paths, ...words, ...notOffered, ...Object.keys(limits)].filter(
    (word) => !page.includes(`<code>${word}</code>`),
  );
  expect(missing).toEqual([]);
  const operations = Object.values(document.paths).flatMap((methods) => Object.keys(methods));
  expect(page.split('<pre>curl').length - 1).toBe(operations.length);
  expect(page).not.toContain('<script');
});
