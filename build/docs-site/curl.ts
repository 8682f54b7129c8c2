// The curl example of an endpoint, made from its schemas. The reader sets `$API`, `$TOKEN`, `$WORKSPACE` and the ids in the path.
import { type Document, type Endpoint, resolved, type Schema } from './openapi.ts';

interface Given {
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

const headSha = '7fd1a60b01f91b314f59955a4e4d4e80d8edf11d';

/** Of routes whose schemas are lenient, and where the simplest valid request would say little. */
const given: Readonly<Record<string, Given>> = {
  writeFile: { query: { path: '/docs/plan.md' }, body: { content: '# Plan\n' } },
  bulkWrite: { body: { files: [{ path: '/docs/a.md', content: 'A' }] } },
  mergeFile: {
    body: {
      strategy: 'three-way-lines-v1',
      baseRevision: 'rev_1',
      baseContent: '# Plan\n',
      content: '# My plan\n',
    },
  },
  listChanges: { query: { last: '10' } },
  importGithubTarball: { query: { owner: 'octocat', repo: 'hello', headSha } },
  fetchGithubTarball: {
    body: {
      owner: 'octocat',
      repo: 'hello',
      headSha,
      tarballUrl: 'https://codeload.github.com/octocat/hello/tar.gz/main',
    },
  },
  listTreeAt: { query: { at: '2026-11-20T12:00:00Z' } },
  restoreFiles: { body: { path: '/docs/plan.md', revision: 'rev_1', dryRun: true } },
  ingestWebhook: {
    body: {
      provider: 'github',
      event_type: 'file.created',
      path: '/github/a.md',
      data: { content: 'A' },
      delivery_id: 'delivery-1',
      timestamp: '2026-11-20T12:00:00Z',
    },
  },
  acknowledgeWriteback: { body: { success: true } },
  resolveConflict: { body: { keep: 'both' } },
  refreshSignIn: { body: { sessionId: 'ses_1', challenge: 'c'.repeat(43), signature: 's'.repeat(86) } },
};

export function curlExample(document: Document, { method, path, operation }: Endpoint): string {
  const parameters = (operation.parameters ?? []).filter(({ required }) => required);
  const own = given[operation.operationId] ?? {};
  const needed = parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema = {} }) => [name, String(exampleOf(document, schema, name))] as const);
  const query = Object.entries({ ...Object.fromEntries(needed), ...own.query }).map(
    ([name, value]) => `${name}=${encodeURIComponent(value).replaceAll('%2F', '/').replaceAll('%3A', ':')}`,
  );
  const target = path.replaceAll(/\{([^}]+)\}/g, (_, name: string) => variableOf(name));
  const headers = parameters
    .filter((parameter) => parameter.in === 'header')
    .map(({ name, schema = {} }) => `-H '${name}: ${String(exampleOf(document, schema, name))}'`);
  const secured = (operation.security ?? []).length > 0 ? ['-H "Authorization: Bearer $TOKEN"'] : [];
  const [media, body] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const data =
    media === undefined || body === undefined
      ? []
      : media === 'application/json'
        ? [
            "-H 'Content-Type: application/json'",
            `-d '${JSON.stringify(own.body ?? exampleOf(document, body.schema, 'body')).replaceAll("'", "'\\''")}'`,
          ]
        : [`-H 'Content-Type: ${media}'`, '--data-binary @FILE'];
  const verb = method === 'get' ? [] : method === 'head' ? ['-I'] : [`-X ${method.toUpperCase()}`];
  const url = `"$API${target}${query.length === 0 ? '' : `?${query.join('&')}`}"`;
  return [['curl', ...verb, url].join(' '), ...secured, ...headers, ...data].join(' \\\n  ');
}

/** Where the schema has no example. */
const usual: Readonly<Record<string, unknown>> = {
  path: '/docs/plan.md',
  'x-correlation-id': 'my-request-1',
  'if-match': '*',
};

/** `$WORKSPACE`, and `$FORK_ID` of `forkId`. */
export function variableOf(name: string): string {
  if (name === 'workspaceId') return '$WORKSPACE';
  return `$${name.replace(/([a-z])([A-Z])/g, '$1_$2').toUpperCase()}`;
}

/** The example of the schema, else its simplest valid value. */
function exampleOf(document: Document, given: Schema, name: string): unknown {
  const schema = resolved(document, given);
  const [example] = schema.examples ?? [];
  if (example !== undefined) return example;
  if (schema.const !== undefined) return schema.const;
  if (schema.default !== undefined) return schema.default;
  if (schema.enum?.[0] !== undefined) return schema.enum[0];
  if (schema.anyOf?.[0] !== undefined) return exampleOf(document, schema.anyOf[0], name);
  if (schema.properties !== undefined) {
    const needed = Object.entries(schema.properties).filter(([key]) => schema.required?.includes(key));
    return Object.fromEntries(needed.map(([key, value]) => [key, exampleOf(document, value, key)]));
  }
  if (schema.type === 'array')
    return schema.items === undefined ? [] : [exampleOf(document, schema.items, name)];
  if (schema.type === 'integer' || schema.type === 'number') return schema.minimum ?? 1;
  if (schema.type === 'boolean') return true;
  return usual[name.toLowerCase()] ?? (schema.type === 'object' ? {} : name);
}
