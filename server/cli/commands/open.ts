// mooring open: a fresh sign-in link of the UI, opened in the browser where there is one to open it in.
import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import { withDataDir } from '../shared/arguments.ts';
import { connect } from '../shared/connect.ts';
import { note, print } from '../shared/output.ts';

export function registerOpen(program: Command): void {
  withDataDir(
    program
      .command('open')
      .description('sign in to the UI; the link works once, within a minute')
      .option('--print', 'only print the link'),
  ).action(open);
}

async function open(options: { dataDir?: string; print?: true }): Promise<void> {
  const { client } = await connect(options);
  const { url } = await client.signIn.link();
  if (options.print || !(await openInBrowser(url))) print(url);
}

/** false: there is no display, or nothing that could open it. The link is not printed then. */
export async function openInBrowser(url: string): Promise<boolean> {
  const opener = openerFor(process.platform, process.env);
  if (opener === null) return false;
  const [command, ...args] = opener;
  return await new Promise((resolve) => {
    const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
    child.once('error', (error) => {
      note(`${command} could not be started: ${error.message}.`);
      resolve(false);
    });
    child.once('spawn', () => {
      child.unref();
      resolve(true);
    });
  });
}

function openerFor(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): readonly [string, ...string[]] | null {
  if (platform === 'darwin') return ['open'];
  // `start` belongs to the shell; rundll32 takes the address as one argument, whatever stands in it.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : null;
}
