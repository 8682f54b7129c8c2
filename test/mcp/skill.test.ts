// The skill, as a client that loads skills gets it: listed, read and held against its digest by the SDK, in both eras of the protocol.
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { skillName, skillText, skillUri } from '../../server/mcp/skill.ts';
import { tools } from '../../server/mcp/tools/all.ts';
import { type HttpAgent, makeWorkspace, openHttpAgent } from '../support/http-agent.ts';
import { connect, eras } from './mcp-client.ts';

let agent: HttpAgent;

beforeAll(async () => {
  agent = await openHttpAgent();
});
afterAll(() => agent.close());

test.each(eras)('a client of the era %s lists it, reads it, and finds the digest right', async (era) => {
  const { token } = await makeWorkspace(agent);
  const client = await connect(agent, token, era);
  const skills = new SkillsClient(client);
  expect(skills.supported).toBe(true);
  const listing = await skills.list();
  expect(listing.skills.map(({ uri, frontmatter }) => [uri, frontmatter.name])).toEqual([
    [skillUri, skillName],
  ]);
  const { skill } = await skills.get(skillUri);
  const file = await skills.read(skill);
  expect([file.verified, file.text]).toEqual([true, skillText]);
  await expect(skills.get('skill://other/SKILL.md')).rejects.toThrow();
});

test('a client that loads no skills finds it among the resources, beside what its token may read', async () => {
  const { token, workspaceId } = await makeWorkspace(agent);
  const client = await connect(agent, token);
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri).sort()).toEqual([
    `mooring://${workspaceId}/changes`,
    `mooring://${workspaceId}/status`,
    skillUri,
  ]);
  const { contents } = await client.readResource({ uri: skillUri });
  expect(contents).toMatchObject([{ uri: skillUri, mimeType: 'text/markdown', text: skillText }]);
  await expect(client.readResource({ uri: `skill://${skillName}/other.md` })).rejects.toThrow(/not found/i);
});

test('each word of code that looks like a tool, an argument or a field is one', () => {
  const known = new Set(
    tools.flatMap(({ spec }) => [
      spec.name,
      ...[...JSON.stringify([spec.input, spec.output]).matchAll(/"(\w+)":/g)].map(([, name]) => name),
    ]),
  );
  const words = [...skillText.matchAll(/`([^`]+)`/g)].map(([, code = '']) => /^\w+/.exec(code)?.[0] ?? '');
  const unknown = words.filter(
    (word) => word !== '' && word !== '0' && word !== 'forbidden' && !known.has(word),
  );
  expect(words.length).toBeGreaterThan(20);
  expect(unknown).toEqual([]);
  const actions = [...skillText.matchAll(/`action: "(\w+)"`/g)].map(([, action]) => action);
  expect(actions).toEqual(['begin', 'show', 'commit', 'discard']);
});
