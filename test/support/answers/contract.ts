// Holds an answer of an agent against the OpenAPI document: its status must be documented for the route, its body must match the
// schema. And against the reference's document, where that one describes the answer (reference-contract.ts).
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { isJson, type RecordedAnswer } from './recorder.ts';
import {
  type OwnParameter,
  ownParameters,
  referenceContract,
  referenceDifferences,
} from './reference-contract.ts';

/** How far an answer was checked. `body`: by its schema. `type`: all that is described is its type. */
export type Verdict =
  | { readonly kind: 'body' | 'type' | 'undocumented route' | 'too long' | 'socket' }
  | { readonly kind: 'wrong'; readonly why: string };

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

/** test/http/openapi.test.ts holds it equal to what the agent serves. */
const documentFile = path.resolve(import.meta.dirname, '../../../build/openapi.json');
/** Below these everything is a route of the API; elsewhere lie the files of the UI. */
const apiPath = /^\/(v1|api)\//;

let api: CheckedDocument | undefined;
let reference: CheckedDocument | null | undefined;

class Wrong extends Error {}

export function judge(answer: RecordedAnswer): Verdict {
  api ??= checkable('api', JSON.parse(readFileSync(documentFile, 'utf8')) as Document);
  try {
    const kind = checkByDocument(api, answer);
    if (kind === 'body') checkByReference(answer);
    return { kind };
  } catch (error) {
    if (error instanceof Wrong) return { kind: 'wrong', why: error.message };
    throw error;
  }
}

function checkByDocument(
  checked: CheckedDocument,
  answer: RecordedAnswer,
): Exclude<Verdict['kind'], 'wrong'> {
  const { method, status, type, bytes } = answer;
  if (method === '') return checkError(checked, answer);
  const { route, operation } = operationOf(checked, answer);
  if (operation === undefined || route === undefined) return checkUndocumented(checked, answer);
  const response = operation.responses[String(status)];
  if (response === undefined) throw wrong('the status is not documented', answer);
  if (status === 101) return 'socket';
  if (response.content === undefined || method === 'HEAD') {
    if (bytes > 0 && method !== 'HEAD') throw wrong('a body where none is documented', answer);
    return 'type';
  }
  const media = response.content[type] ?? response.content[type.split(';')[0] ?? ''];
  if (media === undefined) throw wrong(`the content type "${type}" is not documented`, answer);
  if (!isJson(type)) return 'type';
  if (answer.body === undefined) return 'too long';
  validate(checked, schemaPointer(route.path, answer), answer);
  return 'body';
}

/** No route of the API answers anything but an error; the UI's files, and what a browser asks first, are not its routes. */
function checkUndocumented(checked: CheckedDocument, answer: RecordedAnswer): 'body' | 'undocumented route' {
  const { method, url, status, type } = answer;
  const ofApi = apiPath.test(url) && method !== 'OPTIONS';
  if (isProtocolError(answer)) return 'undocumented route';
  if (status >= 400 && method !== 'HEAD' && (ofApi || isJson(type))) return checkError(checked, answer);
  if (ofApi && status < 400) throw wrong('no route is documented there', answer);
  return 'undocumented route';
}

/** The specification of MCP decides about the errors of `/mcp` behind the token. */
function isProtocolError(answer: RecordedAnswer): boolean {
  if (!answer.url.startsWith('/mcp') || answer.body === undefined || !isJson(answer.type)) return false;
  return (parsed(answer) as { readonly jsonrpc?: unknown } | null)?.jsonrpc === '2.0';
}

function checkError(checked: CheckedDocument, answer: RecordedAnswer): 'body' {
  if (answer.body === undefined) throw wrong('an error that is no JSON', answer);
  validate(checked, ['components', 'schemas', 'Error'], answer);
  return 'body';
}

function checkByReference(answer: RecordedAnswer): void {
  if (reference === undefined) {
    const document = referenceContract();
    reference = document === null ? null : checkable('reference', document as Document);
  }
  if (reference === null) return;
  const { route, operation } = operationOf(reference, answer);
  if (route === undefined || operation === undefined) return;
  if (operation.responses[String(answer.status)]?.content?.['application/json'] === undefined) return;
  if (referenceDifferences.has(`${answer.method} ${route.path} ${answer.status}`)) return;
  if (ownParameters.some((own) => isAskedWith(answer, own))) return;
  validate(reference, schemaPointer(route.path, answer), answer);
}

/** A request that has it is none that a client of the reference sends. */
function isAskedWith({ method, url }: RecordedAnswer, { route, parameter }: OwnParameter): boolean {
  const { pathname, searchParams } = new URL(url, 'http://agent.invalid');
  return method === route.method && route.path.test(pathname) && searchParams.has(parameter);
}

/** As a router finds it: of those that have the method, the one that names the most of the path (`ops/replay` before `ops/{opId}`). */
function operationOf(checked: CheckedDocument, { method, url }: RecordedAnswer) {
  const asked = url.split('?')[0] ?? '';
  const route = checked.routes.find(({ path: one, pattern }) => {
    return pattern.test(asked) && checked.document.paths[one]?.[method.toLowerCase()] !== undefined;
  });
  const operation =
    route === undefined ? undefined : checked.document.paths[route.path]?.[method.toLowerCase()];
  return { route, operation };
}

function schemaPointer(route: string, { method, status }: RecordedAnswer): readonly string[] {
  const json = ['responses', String(status), 'content', 'application/json', 'schema'];
  return ['paths', route, method.toLowerCase(), ...json];
}

function validate(checked: CheckedDocument, pointer: readonly string[], answer: RecordedAnswer): void {
  const schema = `${checked.id}#/${pointer.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/')}`;
  let check = checked.validators.get(schema);
  if (check === undefined) {
    check = checked.ajv.compile({ $ref: schema });
    checked.validators.set(schema, check);
  }
  if (!check(parsed(answer)))
    throw wrong(`${checked.ajv.errorsText(check.errors)} (by the document "${checked.id}")`, answer);
}

function parsed(answer: RecordedAnswer): unknown {
  try {
    return JSON.parse(answer.body ?? '');
  } catch {
    throw wrong('a body that is no JSON', answer);
  }
}

function wrong(why: string, { method, url, status, body = '' }: RecordedAnswer): Wrong {
  return new Wrong(`${why}: ${method} ${url} -> ${status} ${body.slice(0, 400)}`);
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
    routes: Object.keys(document.paths)
      .map((route) => ({
        path: route,
        pattern: new RegExp(`^${route.replace(/[.*+?^$()|[\]\\]/g, '\\$&').replace(/\{[^}]+\}/g, '[^/]+')}$`),
      }))
      .sort((a, b) => parameters(a.path) - parameters(b.path)),
  };
}

function parameters(route: string): number {
  return route.split('{').length;
}
