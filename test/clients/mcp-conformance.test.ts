// The official conformance suite of MCP, in both eras of the protocol: against the product, and against the product with the fixtures that scenarios
// call by name. Both are mounted by the same function.
import { afterAll, beforeAll, describe, test } from 'vitest';
import { mountMcp } from '../../server/http/routes/mcp.ts';
import { createMooringServer } from '../../server/mcp/server-factory.ts';
import { type HttpAgent, makeWorkspace, openHttpAgent } from '../support/http-agent.ts';
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

/** Prefixes of what fails, by reason. */
const expectedFailures: Readonly<Record<Revision, Readonly<Record<string, readonly string[]>>>> = {
  '2025-11-25': {
    'the server asks the user nothing (elicitation)': ['elicitation-', 'tools-call-elicitation'],
    'the server asks no model (sampling)': ['tools-call-sampling'],
    'the log of the agent is not sent to clients (logging)': ['logging-set-level', 'tools-call-with-logging'],
    'this era has no open stream over HTTP on which an update could arrive': [
      'resources-subscribe',
      'resources-unsubscribe',
    ],
  },
  '2026-07-28': {
    'the server asks the user, a model or for roots nothing (elicitation, sampling, roots)': [
      'input-required-result-',
    ],
    'what these checks look at needs a tool of sampling, elicitation or logging': [
      'server-stateless: sep-2575-http-server-no-independent-requests-on-stream',
      'server-stateless: sep-2575-missing-capability-http-400',
      'server-stateless: sep-2575-server-no-log-without-loglevel',
      'server-stateless: sep-2575-server-rejects-undeclared-capability',
    ],
    'each tool answers within its call (tasks)': ['tasks-'],
  },
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
      const prefixes = Object.values(expectedFailures[revision]).flat();
      const unexpected = failed.filter((failure) => !prefixes.some((prefix) => failure.startsWith(prefix)));
      expect(unexpected, output).toEqual([]);
      const stale = prefixes.filter((prefix) => !failed.some((failure) => failure.startsWith(prefix)));
      expect(stale).toEqual([]);
      expect(passed).toEqual(expect.arrayContaining([...passesAlone[revision]]));
    });
  }
});
