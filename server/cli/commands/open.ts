// mooring open: creates a sign-in link and opens it in the browser, or prints it where there is no browser.
import { spawn } from 'node:child_process';
import type { Command } from 'commander';
import { withDataDir } from '../shared/arguments.ts';
import { connect } from '../shared/connect.ts';
import { note, print } from '../shared/output.ts';
import { systemErrorText } from '../shared/system-errors.ts';

export function registerOpen(program: Command): void {
  withDataDir(
    program
      .command('open')
      .description('open the UI with a link valid once for one minute')
      .option('--print', 'print the link without opening it'),
  ).action(open);
}

async function open(options: { dataDir?: string; print?: true }): Promise<void> {
  const { client } = await connect(options);
  const { url } = await client.agent.signIn.link();
  if (options.print || !(await openInBrowser(url))) print(url);
}

/** Time in which an opener that finds no browser ends. One that runs longer is the browser, or waits for it. */
const openerMsMax = 3_000;

/** Returns false when there is no display, or no program that opens the link. It does not print the link. */
export async function openInBrowser(url: string): Promise<boolean> {
  const opener = openerFor(process.platform, process.env);
  if (opener === null) return false;
  const [command, ...args] = opener;
  return await new Promise((resolve) => {
    const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true });
    const timer = setTimeout(() => resolve(true), openerMsMax);
    const failed = (cause: string) => {
      clearTimeout(timer);
      note(`${command} cannot open the link: ${cause}.`);
      resolve(false);
    };
    child.once('error', (error) => failed(systemErrorText(error)));
    child.once('exit', (code, signal) => {
      if (code !== 0) return failed(code === null ? `it was ended by ${signal}` : `exit code ${code}`);
      clearTimeout(timer);
      resolve(true);
    });
    child.unref();
  });
}

function openerFor(platform: NodeJS.Platform, env: NodeJS.ProcessEnv): readonly [string, ...string[]] | null {
  if (platform === 'darwin') return ['open'];
  // `start` is a command of the shell. rundll32 receives the URL as one argument without interpretation.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return env.DISPLAY || env.WAYLAND_DISPLAY ? ['xdg-open'] : null;
}
