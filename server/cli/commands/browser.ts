// mooring browser list|sign-out: the browsers that are signed in to the UI.
import type { Command } from 'commander';
import { withDataDir, withJson } from '../shared/arguments.ts';
import { connect } from '../shared/connect.ts';
import { formatTime } from '../shared/display.ts';
import { usageError } from '../shared/failure.ts';
import { note, printJson, printTable } from '../shared/output.ts';

interface ListOptions {
  readonly dataDir?: string;
  readonly json?: true;
}

interface SignOutOptions {
  readonly dataDir?: string;
  readonly all?: true;
}

export function registerBrowser(program: Command): void {
  const browser = program.command('browser').description('list the signed-in browsers and sign them out');
  withJson(browser.command('list').description('list the signed-in browsers')).action(list);
  withDataDir(
    browser
      .command('sign-out')
      .description('sign a browser out immediately')
      .argument('[SESSION_ID]', 'id from "browser list"')
      .option('--all', 'sign all browsers out'),
  ).action(signOut);
}

async function list(options: ListOptions): Promise<void> {
  const { client } = await connect(options);
  const sessions = await client.agent.signIn.sessions();
  if (options.json) return printJson({ sessions });
  printTable(
    ['SESSION', 'BROWSER', 'PAGE', 'LAST USED', 'EXPIRES'],
    sessions.map(({ sessionId, name, origin, lastUsedAt, expiresAt }) => [
      sessionId,
      name,
      origin ?? '',
      formatTime(lastUsedAt),
      formatTime(expiresAt),
    ]),
  );
  if (sessions.length === 0) note('No browser is signed in. "mooring open" signs one in.');
}

async function signOut(sessionId: string | undefined, options: SignOutOptions): Promise<void> {
  if ((sessionId === undefined) === (options.all === undefined)) {
    throw usageError('Name one session, or use --all.', 'See "mooring browser list".');
  }
  const { client } = await connect(options);
  const { signIn } = client.agent;
  if (sessionId === undefined) return note(`Signed out: ${await signIn.endAllSessions()}.`);
  await signIn.endSession(sessionId);
  note(`Signed out: ${sessionId}.`);
}
