// The values that only the agent knows, for the completion scripts: names, ids and paths, with a few words on each.
import type { MooringClient, Workspace } from '../../../sdk/index.ts';
import { displayFolder } from './display.ts';

export interface CompletedValue {
  readonly value: string;
  readonly description: string;
}

/** More are no help, and a shell asks before it prints them. */
const valuesMax = 200;

interface Place {
  readonly client: MooringClient;
  /** That the words before the cursor name, else all. */
  readonly workspaces: readonly Workspace[];
  /** What is typed of the word so far. */
  readonly current: string;
}

type Source = (place: Place) => Promise<readonly CompletedValue[]>;

const sources = {
  workspace: async ({ client }) => named(await client.workspaces.list()),
  deletedWorkspace: async ({ client }) => {
    const all = await client.workspaces.list({ includeDeleted: true });
    return named(all.filter(({ deletedAt }) => deletedAt !== undefined));
  },
  run: inEach(async (client, workspaceId) => {
    const { runs } = await client.runs.list(workspaceId, { limit: valuesMax });
    return runs.map(({ runId, state, name }) => ({ value: runId, description: `${state} ${name}` }));
  }),
  fork: inEach(async (client, workspaceId) =>
    (await client.forks.list(workspaceId)).map(({ forkId, proposalId }) => ({
      value: forkId,
      description: proposalId,
    })),
  ),
  operation: operations(),
  pendingOperation: operations('pending'),
  deadOperation: operations('dead_lettered'),
  envelope: inEach(async (client, workspaceId) =>
    (await client.sync.deadLetters.list(workspaceId, { limit: valuesMax })).items.map(
      ({ envelopeId, provider, lastError }) => ({
        value: envelopeId,
        description: `${provider} ${lastError}`,
      }),
    ),
  ),
  conflict: inEach(async (client, workspaceId) =>
    (await client.conflicts.list(workspaceId)).map(({ conflictId, path }) => ({
      value: conflictId,
      description: path,
    })),
  ),
  token: inEach(async (client, workspaceId) =>
    (await client.tokens.list(workspaceId))
      .filter(({ revokedAt, expiresAt }) => revokedAt === undefined && Date.parse(expiresAt) > Date.now())
      .map(({ tokenId, agent }) => ({ value: tokenId, description: agent })),
  ),
  provider: inEach(async (client, workspaceId) =>
    (await client.providers.list(workspaceId)).map(({ provider, state }) => ({
      value: provider,
      description: state,
    })),
  ),
  session: async ({ client }) =>
    (await client.agent.signIn.sessions()).map(({ sessionId, name }) => ({
      value: sessionId,
      description: name,
    })),
  user: async ({ client }) =>
    (await client.users.list()).map(({ name, email }) => ({ value: name, description: email ?? '' })),
  setting: async ({ client }) =>
    (await client.agent.settings()).settings.map(({ name, value }) => ({
      value: name,
      description: String(value ?? ''),
    })),
  mirroredFolder: async ({ client, workspaces, current }) => {
    const { mirrors } = await client.agent.status();
    return mirrors.flatMap(({ workspaceId, dir }) => {
      const workspace = workspaces.find((each) => each.workspaceId === workspaceId);
      const value = current.startsWith('~') ? displayFolder(dir) : dir;
      return workspace === undefined ? [] : [{ value, description: workspace.name }];
    });
  },
  path: async ({ client, workspaces, current }) => {
    const [only, ...others] = workspaces;
    if (only === undefined || others.length > 0) return [];
    const directory = current.slice(0, current.lastIndexOf('/') + 1) || '/';
    const { entries } = await client.files.tree(only.workspaceId, { path: directory, depth: 1 });
    return entries.map(({ path, type }) => ({
      value: type === 'dir' ? `${path}/` : path,
      description: '',
    }));
  },
} as const satisfies Readonly<Record<string, Source>>;

export type AgentValue = keyof typeof sources;

export function isAgentValue(text: string): text is AgentValue {
  return Object.hasOwn(sources, text);
}

/** @param words those before the cursor, as typed. */
export async function completionValues(
  client: MooringClient,
  kind: AgentValue,
  { current, words }: { readonly current: string; readonly words: readonly string[] },
): Promise<readonly CompletedValue[]> {
  const all = await client.workspaces.list();
  const option = optionIn(words, '--workspace');
  const workspaces =
    option === undefined
      ? all
      : all.filter(({ workspaceId, name }) =>
          [workspaceId, name].some((each) => each === option || each === unquoted(option)),
        );
  const values = await sources[kind]({ client, workspaces, current: unquoted(current) });
  return values.filter(({ value }) => !value.includes('\n')).slice(0, valuesMax);
}

/** The value of an option; bash passes `=` as a word of its own. */
export function optionIn(words: readonly string[], name: string): string | undefined {
  const joined = words.find((word) => word.startsWith(`${name}=`));
  if (joined !== undefined) return joined.slice(name.length + 1);
  const rest = words.slice(words.indexOf(name) + 1).filter((word) => word !== '=');
  return words.includes(name) ? rest[0] : undefined;
}

/** bash passes words as they are typed, with quotes and backslashes. */
export function unquoted(word: string): string {
  return word.replaceAll(/\\(.)|["']/g, '$1');
}

function named(workspaces: readonly Workspace[]): readonly CompletedValue[] {
  const counts = new Map<string, number>();
  for (const { name } of workspaces) counts.set(name, (counts.get(name) ?? 0) + 1);
  return workspaces.map(({ workspaceId, name }) =>
    counts.get(name) === 1
      ? { value: name, description: workspaceId }
      : { value: workspaceId, description: name },
  );
}

function inEach(
  read: (client: MooringClient, workspaceId: string) => Promise<readonly CompletedValue[]>,
): Source {
  return async ({ client, workspaces }) => {
    const lists = await Promise.all(workspaces.map(({ workspaceId }) => read(client, workspaceId)));
    return lists.flat();
  };
}

function operations(status?: 'pending' | 'dead_lettered'): Source {
  return inEach(async (client, workspaceId) => {
    const query = { limit: valuesMax, ...(status === undefined ? {} : { status }) };
    const { items } = await client.operations.list(workspaceId, query);
    return items.map((operation) => ({
      value: operation.opId,
      description: `${operation.status} ${operation.path ?? ''}`,
    }));
  });
}
