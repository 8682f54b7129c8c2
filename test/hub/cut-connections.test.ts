// The connection of the writer breaks at each of its statements: before the server has it, and after the server has answered it. What
// was answered happened once, and nothing else happened.
import { beforeEach, expect, it, onTestFinished } from 'vitest';
import { noPostgres } from '../../build/postgres.ts';
import { type Cut, DatabaseLine } from '../support/database-line.ts';
import { hubDatabase } from '../support/hub-database.ts';
import { openTestStore, type TestStore, testWorkspace } from '../support/store.ts';
import { tempFolder } from '../support/temp-folder.ts';

beforeEach(({ skip }) => skip(noPostgres !== null, noPostgres ?? ''));

async function rigOnLine(): Promise<TestStore & { readonly line: DatabaseLine }> {
  const line = await DatabaseLine.open(await hubDatabase(tempFolder('mooring-cut')), 'mooring');
  onTestFinished(() => line.close());
  return { ...(await openTestStore({ hubUrl: line.url })), line };
}

/** Runs `act` once for each statement that it takes, and says how many there are. */
async function atEach(
  line: DatabaseLine,
  when: Cut['when'],
  act: (statement: number) => Promise<void>,
): Promise<number> {
  for (let statement = 1; ; statement += 1) {
    line.cutAt({ statement, when });
    await act(statement);
    if (!line.mend()) return statement - 1;
  }
}

for (const when of ['before', 'after', 'terminated'] as const)
  it(`${when === 'terminated' ? 'terminated by the server at' : `cut ${when}`} each statement, a chain of writes has no gap and no repetition`, async () => {
    const { store, put, line } = await rigOnLine();
    let revision = await put('/counter', '0');
    const named = () => `rev_${revision}`;
    let written = 1;
    const statements = await atEach(line, when, async () => {
      // A group that is run again after it was committed would be refused here: its revision is another one then.
      const [counted, ...others] = await Promise.all([
        put('/counter', String(written), { precondition: { kind: 'revision', revision: named() } }),
        put(`/others/a ${written}`),
        put(`/others/b ${written}`),
      ]);
      expect(others.every((one) => one > 0)).toBe(true);
      revision = counted;
      written += 1;
    });
    expect(statements).toBeGreaterThan(5);
    const { events } = await store.events.after(testWorkspace, 0, 1_000);
    expect(events.map(({ seq }) => seq)).toEqual(events.map((_event, index) => index + 1));
    const paths = events.map(({ path }) => path).filter((path) => path !== null);
    expect(paths.filter((path) => path === '/counter')).toHaveLength(written);
    // Each of them once: nothing was run twice.
    expect(paths).toHaveLength(3 * (written - 1) + 1);
    expect(new Set(paths).size).toBe(2 * (written - 1) + 1);
  });
