// Which routes of the reference's published contract this agent answers. Runs where that file lies beside the checkout.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../..');
const referenceFile = path.resolve(root, '../shared/contract/reference-openapi-v1.yaml');
const methods = ['get', 'put', 'post', 'delete', 'patch'];

/** `GET /v1/workspaces/{}/fs/tree`: names of parameters do not count. */
function route(method: string, url: string): string {
  return `${method.toUpperCase()} ${url.replaceAll(/\{[^}]+\}/g, '{}')}`;
}

/** Paths stand at two spaces, their methods at four: all that is asked of the file. */
function routesOfYaml(text: string): string[] {
  const routes: string[] = [];
  let url: string | null = null;
  for (const line of text.slice(text.indexOf('\npaths:')).split('\n').slice(2)) {
    if (/^\S/.test(line)) break;
    const found = /^ {2}(\/[^:]*):\s*$/.exec(line)?.[1];
    if (found !== undefined) url = found;
    const method = /^ {4}([a-z]+):\s*$/.exec(line)?.[1];
    if (url !== null && method !== undefined && methods.includes(method)) routes.push(route(method, url));
  }
  return routes;
}

it('every route of the reference has one here', ({ skip }) => {
  skip(
    !existsSync(referenceFile),
    'the published contract of the reference does not lie beside this checkout',
  );
  const document = JSON.parse(readFileSync(path.join(root, 'build/openapi.json'), 'utf8')) as {
    paths: Record<string, Record<string, unknown>>;
  };
  const ours = new Set(
    Object.entries(document.paths).flatMap(([url, found]) =>
      Object.keys(found).map((method) => route(method, url)),
    ),
  );
  const wanted = routesOfYaml(readFileSync(referenceFile, 'utf8'));
  expect(wanted.length).toBeGreaterThan(30);
  const missing = wanted.filter((one) => !ours.has(one));
  process.stdout.write(
    `--- routes of the reference: ${wanted.length}, without one here: ${missing.join(', ') || 'none'}\n`,
  );
  expect(missing).toEqual([]);
});
