// What a search finds is what a reading of all files finds: after random writes, moves by delete and write, deletions, access rules and
// forks, for the owner, for a subject that may not read all, and in a fork.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { SearchResult } from '../../server/contract/search.ts';
import { type HttpAgent, makeWorkspace, openHttpAgent } from '../support/http-agent.ts';
import { runs } from '../support/scale.ts';
import { inject } from './authority/world.ts';

const longMs = 300_000;
let agent: HttpAgent;
beforeAll(async () => {
  agent = await openHttpAgent();
});
afterAll(() => agent.close());

const paths = ['/a', '/b.md', '/d/a', '/d/b.md', '/d/e/É.txt', '/x y'];
const words = ['alpha', 'Alpha', 'beta', 'ab', 'É', 'straße', 'a_b', 'x', '日本語'];
const text = fc
  .array(fc.constantFrom(...words, '\n', ' ', '.', '\r\n'), { maxLength: 12 })
  .map((parts) => parts.join(' '));

type Step =
  | {
      readonly kind: 'write';
      readonly path: string;
      readonly content: string;
      readonly isClosed: boolean;
      readonly inFork: boolean;
    }
  | { readonly kind: 'delete'; readonly path: string; readonly inFork: boolean };

const inFork = fc.boolean();
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      path: fc.constantFrom(...paths),
      content: text,
      isClosed: fc.boolean(),
      inFork,
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('delete' as const), path: fc.constantFrom(...paths), inFork }),
  },
);

interface Question {
  readonly mode: 'text' | 'literal' | 'regex';
  readonly q: string;
  readonly matches: (content: string) => boolean;
}

const lines = (content: string) => content.split('\n').map((line) => line.replace(/\r$/, ''));
const wordsOf = (content: string) =>
  (content
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) ?? []) as string[];
const questions: readonly Question[] = [
  { mode: 'text', q: 'ALPHA', matches: (content) => wordsOf(content).includes('alpha') },
  { mode: 'text', q: 'e', matches: (content) => wordsOf(content).includes('e') },
  {
    mode: 'text',
    q: 'al* b',
    matches: (content) => wordsOf(content).some((w) => w.startsWith('al')) && wordsOf(content).includes('b'),
  },
  {
    mode: 'text',
    q: '"a b"',
    matches: (content) => wordsOf(content).some((w, at, all) => w === 'a' && all[at + 1] === 'b'),
  },
  { mode: 'literal', q: 'lph', matches: (content) => content.includes('lph') },
  { mode: 'literal', q: 'ALPHA', matches: (content) => content.toLowerCase().includes('alpha') },
  { mode: 'literal', q: 'b', matches: (content) => content.toLowerCase().includes('b') },
  { mode: 'literal', q: 'é', matches: (content) => content.toLowerCase().includes('é') },
  { mode: 'literal', q: '本語', matches: (content) => content.includes('本語') },
  { mode: 'regex', q: '^alpha', matches: (content) => lines(content).some((line) => /^alpha/i.test(line)) },
  {
    mode: 'regex',
    q: 'beta|stra.e',
    matches: (content) => lines(content).some((line) => /beta|stra.e/i.test(line)),
  },
  { mode: 'regex', q: 'x\\s*$', matches: (content) => lines(content).some((line) => /x\s*$/i.test(line)) },
];

async function check(steps: readonly Step[]): Promise<void> {
  const { workspaceId, token } = await makeWorkspace(agent, { agent: 'ann' });
  const bob = (await agent.tokens.issue({ workspaceId, agent: 'bob', scopes: ['fs:read'] })).token;
  const W = `/v1/workspaces/${workspaceId}`;
  const created = await inject(agent, token, 'POST', `${W}/forks`, { proposalId: workspaceId });
  expect(created.status, created.text).toBe(200);
  const { json } = created;
  const forkId = json.forkId as string;
  for (const one of steps) {
    const url = `${W}/fs/file?path=${encodeURIComponent(one.path)}${one.inFork ? `&forkId=${forkId}` : ''}`;
    const body =
      one.kind === 'write'
        ? { content: one.content, semantics: { permissions: one.isClosed ? ['allow:agent:ann'] : ['tag'] } }
        : undefined;
    await inject(agent, token, one.kind === 'write' ? 'PUT' : 'DELETE', url, body, { 'if-match': '*' });
  }
  for (const [bearer, fork] of [
    [token, ''],
    [bob, ''],
    [token, `&forkId=${forkId}`],
    [bob, `&forkId=${forkId}`],
  ] as const) {
    const files = new Map<string, string>();
    for (const path of paths) {
      const read = await inject(agent, bearer, 'GET', `${W}/fs/file?path=${encodeURIComponent(path)}${fork}`);
      if (read.status === 200) files.set(path, read.json.content as string);
    }
    for (const { mode, q, matches } of questions) {
      const expected = [...files].filter(([, content]) => matches(content)).map(([path]) => path);
      const found: string[] = [];
      let cursor = '';
      do {
        const query = `mode=${mode}&q=${encodeURIComponent(q)}&limit=2&wait=10000${fork}${cursor}`;
        const answer = await inject(agent, bearer, 'GET', `${W}/fs/search?${query}`);
        expect(answer.status, answer.text).toBe(200);
        const page = answer.json as unknown as SearchResult;
        found.push(...page.items.map(({ path }) => path));
        for (const item of page.items) {
          expect(item.matches.length).toBeGreaterThan(0);
          for (const match of item.matches)
            expect(lines(files.get(item.path) ?? '')[match.line - 1]).toBe(match.text);
        }
        cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`;
      } while (cursor !== '');
      expect({ mode, q, fork: fork !== '', found: found.toSorted() }).toEqual({
        mode,
        q,
        fork: fork !== '',
        found: expected.toSorted(),
      });
    }
  }
}

test('a search finds what a reading of all files finds', { timeout: longMs + 60_000 }, async () => {
  await fc.assert(fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), check), runs(8, longMs));
});
