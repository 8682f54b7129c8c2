// A delivery id that a sender has used up without effect does not make the webhook of another sender a repeat.
import { expect, test } from 'vitest';
import { request } from '../support/api-request.ts';
import { type HttpAgentOptions, makeWorkspace, startHttpAgent } from '../support/http-agent.ts';

const rules = { permissions: ['deny:agent:bad', 'allow:public'] };

async function bench(options: HttpAgentOptions = {}) {
  const agent = await startHttpAgent(options);
  const { workspaceId } = await makeWorkspace(agent);
  const call = (token: string, method: string, url: string, body?: unknown, headers = {}) =>
    request(agent, `/v1/workspaces/${workspaceId}${url}`, { token, method, body, headers });
  const issue = async (name: string, more: { readonly deletesPerMinute?: number } = {}) =>
    (await agent.tokens.issue({ workspaceId, agent: name, scopes: ['sync:trigger'], ...more })).token;
  const put = (path: string, body: object) =>
    call(agent.ownerToken, 'PUT', `/fs/file?path=${path}`, body, { 'if-match': '*' });
  await put('/secret/.relayfile.acl', { content: '', semantics: rules });
  const ingest = async (token: string, content: string, more: object = {}) => {
    const sent = await call(token, 'POST', '/webhooks/ingest', {
      provider: 'secret',
      event_type: 'file.updated',
      path: '/secret/a',
      delivery_id: 'next-1',
      data: { content },
      ...more,
    });
    expect(sent.status).toBe(202);
    if (options.applies !== false) await agent.ingest.idle();
    return sent.json.id as string;
  };
  const content = async () => (await call(agent.ownerToken, 'GET', '/fs/file?path=/secret/a')).json?.content;
  const letters = async () => (await call(agent.ownerToken, 'GET', '/sync/dead-letter')).json.items;
  const causes = async () =>
    (await letters()).map(({ lastError }: { lastError: string }) => lastError.split(':')[0]);
  const [bad, good] = [await issue('bad'), await issue('good')];
  return { agent, call, issue, put, ingest, content, letters, causes, bad, good };
}

test.each([
  ['refused for access', {}, 'access_denied'],
  ['unreadable', { data: { content: '*', encoding: 'base64' } }, 'content_undecodable'],
])(
  'a webhook that was %s loses its delivery id to the sender of the real one',
  async (_name, more, cause) => {
    const { ingest, content, letters, causes, bad, good } = await bench();
    const refused = await ingest(bad, 'forged', more);
    const taken = await ingest(good, 'real');
    expect(taken).not.toBe(refused);
    expect(await content()).toBe('real');
    expect(await causes()).toEqual([cause]);
    expect((await letters())[0].envelopeId).toBe(refused);
    // From now on it is known, whoever repeats it.
    expect([await ingest(good, 'again'), await ingest(bad, 'again')]).toEqual([taken, taken]);
    expect(await content()).toBe('real');
  },
);

test('what a used-up delete quota refused, or somebody acknowledged, does not count either', async () => {
  const { agent, issue, put, ingest, call, content, causes, good } = await bench();
  const limited = await issue('limited', { deletesPerMinute: 1 });
  await put('/secret/a', { content: 'old' });
  await put('/secret/b', { content: 'old' });
  const deleted = { event_type: 'file.deleted' };
  await ingest(limited, '', { ...deleted, path: '/secret/b', delivery_id: 'next-0' });
  const refused = await ingest(limited, '', deleted);
  expect(await causes()).toEqual(['delete_quota_exceeded']);
  expect(await ingest(limited, '', deleted)).toBe(refused);
  await call(agent.ownerToken, 'POST', `/sync/dead-letter/${refused}/ack`);
  expect(await ingest(limited, '', deleted)).toBe(refused);
  await ingest(good, '', deleted);
  expect(await content()).toBeUndefined();
});

test('a webhook that waits is a repeat for its own sender alone; both are kept', async () => {
  const { agent, ingest, bad, good } = await bench({ applies: false });
  const first = await ingest(bad, 'forged');
  expect(await ingest(bad, 'forged')).toBe(first);
  const second = await ingest(good, 'real');
  expect(second).not.toBe(first);
  expect(await ingest(good, 'real')).toBe(second);
  // What the owner sent stands for all.
  const owners = await ingest(agent.ownerToken, 'real', { delivery_id: 'next-2' });
  expect(await ingest(good, 'real', { delivery_id: 'next-2' })).toBe(owners);
  const waiting = await agent.store.ingest.pending(null, 10);
  expect(waiting).toHaveLength(3);
});

test('one that a newer webhook of its sender replaced does not count', async () => {
  const { agent, ingest, content, causes, bad, good } = await bench({ applies: false });
  const replaced = await ingest(bad, 'forged');
  await ingest(bad, 'forged again', { delivery_id: 'next-2' });
  expect(await ingest(good, 'real')).not.toBe(replaced);
  await agent.ingest.start();
  await agent.ingest.idle();
  expect(await content()).toBe('real');
  expect(await causes()).toEqual(['access_denied']);
});
