// The official conformance suite of MCP, in both eras of the protocol: against the product, and against the product with the fixtures that scenarios
// call by name. Both are mounted by the same function.
import { afterAll, beforeAll, describe, test } from 'vitest';
import { mountMcp } from '../../server/http/routes/mcp.ts';
import { createMooringServer } from '../../server/mcp/server-factory.ts';
import { type HttpAgent, makeWorkspace, openHttpAgent } from '../support/http-agent.ts';
import { expectedFailures } from './mcp-conformance/expected-failures.ts';
import { addFixtures } from './mcp-conformance/fixtures.ts';
import { type Revision, runSuite } from './mcp-conformance/run-suite.ts';

const nodeMajor = Number(process.versions.node.split('.')[0]);
const nodeMajorMin = 22;

/** Pass without fixtures. */
const passesAlone: Readonly<Record<Revision, readonly string[]>> = {
  '2025-11-25': ['dns-rebinding-protection', 'ping', 'resources-list', 'server-initialize', 'tools-list'],
  '2026-07-28': [
    'dns-rebinding-protection',
    'http-header-validation',
    'input-required-result-unsupported-methods',
    'resources-list',
    'sep-2164-resource-not-found',
    'server-sse-multiple-streams',
    'tools-list',
  ],
};

let agent: HttpAgent;
beforeAll(async () => {
  agent = await openHttpAgent({
    http: {
      afterRoutes: (app, dependencies) =>
        mountMcp(app, dependencies, '/mcp-fixtures', (session, options) =>
          addFixtures(createMooringServer(session, options)),
        ),
    },
  });
});
afterAll(() => agent.close());

async function run(url: string, revision: Revision) {
  const { token } = await makeWorkspace(agent);
  return await runSuite(agent.url + url, token, revision);
}

const tooOld = nodeMajor < nodeMajorMin;
const reason = tooOld ? ` (skipped: the suite needs Node ${nodeMajorMin})` : '';
describe.skipIf(tooOld)(`the conformance suite${reason}`, () => {
  for (const revision of ['2025-11-25', '2026-07-28'] as const) {
    test.concurrent(`${revision}: the product passes what needs no fixtures`, async ({ expect }) => {
      const { passed, output } = await run('/mcp', revision);
      expect(passed, output).toEqual(expect.arrayContaining([...passesAlone[revision]]));
    });

    test.concurrent(`${revision}: with fixtures fails only what is not offered`, async ({ expect }) => {
      const { passed, failed, output } = await run('/mcp-fixtures', revision);
      const expected = Object.values(expectedFailures[revision]).flat();
      expect(failed.toSorted(), output).toEqual(expected.toSorted());
      expect(passed).toEqual(expect.arrayContaining([...passesAlone[revision]]));
    });
  }
});
