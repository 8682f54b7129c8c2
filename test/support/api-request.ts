// Requests of tests, with every answer held against the OpenAPI document: the status must be documented for the route and
// the body must match its schema. An answer that the document does not describe fails the test that saw it.
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { HttpAgent } from './http-agent.ts';
import { referenceContract, referenceDifferences } from './reference-contract.ts';

export interface ApiRequest {
  readonly method?: string;
  /** A bare token; null sends none. Default: the owner's. */
  readonly token?: string | null;
  /** null sends none. */
  readonly correlationId?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
  /** An object is sent as JSON, text and bytes as they are. */
  readonly body?: unknown;
}

export interface ApiResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Buffer;
  /** The parsed body; undefined when it is no JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into bodies whose shape the document has just checked
  readonly json: any;
}

interface Operation {
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, { readonly schema: object }>> }>
  >;
}

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

interface CheckedDocument {
  /** Under which its schemas are known to ajv. */
  readonly id: string;
  readonly routes: readonly { readonly pattern: RegExp; readonly path: string }[];
  readonly document: Document;
  readonly ajv: Ajv2020;
  readonly validators: Map<string, ValidateFunction>;
}

const documents = new WeakMap<HttpAgent['app'], CheckedDocument>();
let reference: CheckedDocument | null | undefined;

export async function request(agent: HttpAgent, url: string, options: ApiRequest = {}): Promise<ApiResponse> {
  const method = options.method ?? 'GET';
  const headers = new Headers(options.headers);
  const { token = agent.ownerToken, correlationId = 'test-1', body } = options;
  if (token !== null && !headers.has('authorization')) headers.set('authorization', `Bearer ${token}`);
  if (correlationId !== null && !headers.has('x-correlation-id'))
    headers.set('x-correlation-id', correlationId);
  const plain = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
  const response = await fetch(agent.url + url, {
    method,
    headers,
    redirect: 'manual',
    ...(body === undefined
      ? {}
      : { body: plain ? (body as string | Buffer<ArrayBuffer>) : JSON.stringify(body) }),
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  const answer = { status: response.status, headers: response.headers, bytes, json: jsonOf(response, bytes) };
  checkAgainstDocument(agent, method, url, answer);
  checkAgainstReference(method, url, answer);
  return answer;
}

function jsonOf(response: Response, bytes: Buffer): unknown {
  const type = response.headers.get('content-type') ?? '';
  if (bytes.length === 0 || !type.startsWith('application/json')) return undefined;
  return JSON.parse(bytes.toString('utf8'));
}

/** Throws when the document does not describe this answer. Routes that are none must answer 404 or a guard's 403. */
function checkAgainstDocument(agent: HttpAgent, method: string, url: string, answer: ApiResponse): void {
  const checked = checkedDocument(agent);
  const { route, operation } = operationOf(checked, method, url);
  const seen = seenText(method, url, answer);
  if (operation === undefined || route === undefined) {
    if (answer.status === 404 || answer.status === 403 || answer.status === 400)
      checkError(checked, answer, seen);
    return;
  }
  const response = operation.responses[String(answer.status)];
  if (response === undefined) throw new Error(`the status is not documented: ${seen}`);
  if (response.content === undefined || method === 'HEAD') {
    if (answer.bytes.length > 0) throw new Error(`a body where none is documented: ${seen}`);
    return;
  }
  const mediaType = answer.headers.get('content-type') ?? '';
  const media = response.content[mediaType] ?? response.content[mediaType.split(';')[0] ?? ''];
  if (media === undefined) throw new Error(`the content type ${mediaType} is not documented: ${seen}`);
  if (answer.json === undefined) return;
  validate(checked, schemaPointer(route.path, method, answer.status), answer, seen);
}

/** Throws when the reference has the route and the status and describes another body, unless the difference is listed. */
function checkAgainstReference(method: string, url: string, answer: ApiResponse): void {
  if (reference === undefined) {
    const document = referenceContract();
    reference = document === null ? null : checkable('reference', document as Document);
  }
  if (reference === null || answer.json === undefined) return;
  const { route, operation } = operationOf(reference, method, url);
  if (route === undefined || operation === undefined) return;
  const described = operation.responses[String(answer.status)]?.content?.['application/json'];
  if (described === undefined) return;
  if (referenceDifferences.has(`${method} ${route.path} ${answer.status}`)) return;
  const pointer = schemaPointer(route.path, method, answer.status);
  validate(reference, pointer, answer, `${seenText(method, url, answer)} by the reference`);
}

function operationOf(checked: CheckedDocument, method: string, url: string) {
  const path = url.split('?')[0] ?? '';
  const route = checked.routes.find(({ pattern }) => pattern.test(path));
  const operation =
    route === undefined ? undefined : checked.document.paths[route.path]?.[method.toLowerCase()];
  return { route, operation };
}

function seenText(method: string, url: string, answer: ApiResponse): string {
  return `${method} ${url} -> ${answer.status} ${answer.bytes.subarray(0, 400).toString('utf8')}`;
}

function schemaPointer(path: string, method: string, status: number): readonly string[] {
  const json = ['responses', String(status), 'content', 'application/json', 'schema'];
  return ['paths', path, method.toLowerCase(), ...json];
}

function checkError(checked: CheckedDocument, answer: ApiResponse, seen: string): void {
  if (answer.json === undefined) throw new Error(`an error that is no JSON: ${seen}`);
  validate(checked, ['components', 'schemas', 'Error'], answer, seen);
}

function validate(
  checked: CheckedDocument,
  pointer: readonly string[],
  answer: ApiResponse,
  seen: string,
): void {
  const schema = `${checked.id}#/${pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
  let check = checked.validators.get(schema);
  if (check === undefined) {
    check = checked.ajv.compile({ $ref: schema });
    checked.validators.set(schema, check);
  }
  if (!check(answer.json)) throw new Error(`${checked.ajv.errorsText(check.errors)} in ${seen}`);
}

function checkedDocument(agent: HttpAgent): CheckedDocument {
  const known = documents.get(agent.app);
  if (known !== undefined) return known;
  const checked = checkable('api', agent.app.openApiDocument() as unknown as Document);
  documents.set(agent.app, checked);
  return checked;
}

function checkable(id: string, document: Document): CheckedDocument {
  const ajv = new Ajv2020({ strict: false, allErrors: false });
  addFormats.default(ajv);
  ajv.addSchema({ ...document, $id: id });
  return {
    id,
    document,
    ajv,
    validators: new Map<string, ValidateFunction>(),
    routes: Object.keys(document.paths).map((path) => ({
      path,
      pattern: new RegExp(`^${path.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]+')}$`),
    })),
  };
}

/** The parts of an error that callers rely on. */
export function errorOf(response: ApiResponse): readonly [status: number, code: string, message: string] {
  return [response.status, response.json?.code, response.json?.message];
}

/** The same without the message. */
export function codeOf(response: ApiResponse): readonly [status: number, code: string] {
  return [response.status, response.json?.code];
}
