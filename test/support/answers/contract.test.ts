import { expect, it } from 'vitest';
import { judge } from './contract.ts';
import type { RecordedAnswer } from './recorder.ts';
import { referenceContract } from './reference-contract.ts';

const tree = '/v1/workspaces/rw_a1b2c3d4/fs/tree';
const json = 'application/json; charset=utf-8';
const error = { code: 'not_found', message: 'nothing is there', correlationId: 'c' };

/** By default GET fs/tree, answered with an empty tree. */
function answer(over: Partial<RecordedAnswer> & { readonly json?: unknown } = {}): RecordedAnswer {
  const { json: value = { path: '/', entries: [], nextCursor: null }, ...rest } = over;
  const body = JSON.stringify(value);
  return { method: 'GET', url: tree, status: 200, type: json, bytes: body.length, body, ...rest };
}

it('an answer as it is documented is right, and how far that was looked at is told', () => {
  const { body: _long, ...withoutBody } = answer();
  const kinds = [
    answer(),
    answer({ url: `${tree}?path=%2Fa` }),
    answer({ status: 404, json: error }),
    withoutBody,
    answer({ url: '/v1/workspaces/rw_a1b2c3d4/fs/ws', status: 101, type: '', body: '', bytes: 0 }),
    answer({ url: '/v1/workspaces/rw_a1b2c3d4/fs/export?format=tar', type: 'application/gzip' }),
    answer({ url: '/', type: 'text/html', json: '' }),
    answer({ url: '/', status: 503, type: 'text/html' }),
    answer({ url: '/v1/nothing', status: 404, json: error }),
    answer({ method: '', url: '', status: 400, json: { ...error, code: 'bad_request' } }),
  ].map((one) => judge(one).kind);
  expect(kinds).toEqual([
    'body',
    'body',
    'body',
    'too long',
    'socket',
    'type',
    'undocumented route',
    'undocumented route',
    'body',
    'body',
  ]);
});

it.for([
  ['another status', answer({ status: 418 }), 'the status is not documented'],
  ['another type', answer({ type: 'text/plain' }), 'the content type "text/plain" is not documented'],
  ['a field too few', answer({ json: { path: '/', nextCursor: null } }), "required property 'entries'"],
  [
    'a value of another type',
    answer({ json: { path: 1, entries: [], nextCursor: null } }),
    'path must be string',
  ],
  ['half a body', answer({ body: '{"path":' }), 'a body that is no JSON'],
  ['an error without its fields', answer({ status: 404, json: {} }), "required property 'code'"],
  [
    'a body of a route whose place another one takes with a parameter',
    answer({ method: 'POST', url: '/v1/workspaces/rw_a1b2c3d4/ops/replay', json: { matched: 'all' } }),
    "required property 'done'",
  ],
  [
    'a body with 304',
    answer({ url: '/v1/workspaces/w/fs/file', status: 304 }),
    'a body where none is documented',
  ],
  ['a route of the API that is none', answer({ url: '/v1/nothing' }), 'no route is documented there'],
  [
    'an error in other words where no route is',
    answer({ url: '/elsewhere', status: 404, json: { error: 'no' } }),
    "required property 'code'",
  ],
] as const)('%s is wrong, with method, route and status named', ([, wrong, why]) => {
  const verdict = judge(wrong);
  expect(verdict).toEqual({ kind: 'wrong', why: expect.stringContaining(why) });
  expect(verdict).toEqual({
    kind: 'wrong',
    why: expect.stringContaining(`${wrong.method} ${wrong.url} -> ${wrong.status}`),
  });
});

it('what our document allows and that of the reference does not is wrong', ({ skip }) => {
  skip(
    referenceContract() === null,
    'the published contract of the reference does not lie beside this checkout',
  );
  const more = answer({ json: { path: '/', entries: [], nextCursor: null, more: true } });
  expect(judge(more)).toEqual({ kind: 'wrong', why: expect.stringContaining('"reference"') });
});
