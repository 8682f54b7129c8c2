// Parses links: `mooring://open/files/docs/readme.md?workspace=rw_…` opens that location of the app. Any program can create a
// link, so it only navigates to an existing screen and contains no code, token or command.
export const linkScheme = 'mooring';
const linkCharactersMax = 2048;

/** All of the UI. */
const screens = [
  'overview',
  'files',
  'search',
  'runs',
  'activity',
  'conflicts',
  'dead-letters',
  'writeback',
  'operations',
  'logs',
  'remotes',
  'settings',
] as const;

/** The location after `#`; null: not a valid link. */
export function locationOfLink(link: string): string | null {
  if (link.length > linkCharactersMax) return null;
  const url = URL.parse(link);
  if (url === null || url.protocol !== `${linkScheme}:` || url.host !== 'open') return null;
  if (url.username !== '' || url.password !== '' || url.hash !== '') return null;
  const location = url.pathname.slice(1);
  const [screen = ''] = location.split('/', 1);
  if (!screens.some((known) => known === screen)) return null;
  return `${location}${url.search}`;
}

/** On Windows and Linux a link arrives as an argument of a second start. */
export function locationInArguments(args: readonly string[]): string | null {
  for (const arg of args) {
    if (!arg.startsWith(`${linkScheme}://`)) continue;
    const location = locationOfLink(arg);
    if (location !== null) return location;
  }
  return null;
}
