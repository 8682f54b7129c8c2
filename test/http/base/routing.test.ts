// An answer has the type of the schema that its route declares.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { FastifyReply } from 'fastify';
import { expect, test } from 'vitest';
import { Health } from '../../../server/contract/agent.ts';
import { sendJson } from '../../../server/http/base/routing.ts';

const routes = path.join(import.meta.dirname, '../../../server/http/routes');

test('a body that is not of its schema does not compile', () => {
  const sent: unknown[] = [];
  const reply = {
    code: () => reply,
    header: () => reply,
    serializer: () => reply,
    send: (payload: unknown) => sent.push(payload),
  } as unknown as FastifyReply;
  sendJson(reply, Health, 200, { status: 'ok' });
  // @ts-expect-error: the schema has one status only
  sendJson(reply, Health, 200, { status: 'failed' });
  // @ts-expect-error: a required field is missing
  sendJson(reply, Health, 200, {});
  // @ts-expect-error: the schema has no such field
  sendJson(reply, Health, 200, { status: 'ok', uptime: 1 });
  expect(sent).toHaveLength(4);
});

test('a route declares each schema with which it answers', () => {
  const files = readdirSync(routes, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  let answers = 0;
  for (const file of files) {
    const text = readFileSync(path.join(routes, file), 'utf8');
    for (const [, schema] of text.matchAll(/\bsendJson\(\s*reply,\s*(\w+),/g)) {
      answers += 1;
      expect(text, `${file} declares ${schema}`).toMatch(new RegExp(`jsonAnswer\\(\\s*${schema},`));
    }
  }
  expect(answers).toBeGreaterThan(90);
});
