// `mooring://open/files/docs/readme.md?workspace=rw_…` opens that place of the app's page. Anybody can make such a link,
// so it only ever shows something: it names a screen that there is, and carries no code, token or command.
export const linkScheme = 'mooring';
const linkCharactersMax = 2048;

const screens = [
  'overview',
  'files',
  'activity',
  'conflicts',
  'dead-letters',
  'writeback',
  'operations',
  'settings',
] as const;

/** The place as after `#`; null: it is no link of ours. */
export function placeOfLink(link: string): string | null {
  if (link.length > linkCharactersMax) return null;
  const url = URL.parse(link);
  if (url === null || url.protocol !== `${linkScheme}:` || url.host !== 'open') return null;
  if (url.username !== '' || url.password !== '' || url.hash !== '') return null;
  const place = url.pathname.slice(1);
  const [screen = ''] = place.split('/', 1);
  if (!screens.some((known) => known === screen)) return null;
  return `${place}${url.search}`;
}

/** On Windows and Linux a link arrives as an argument of a second start. */
export function placeInArguments(args: readonly string[]): string | null {
  for (const arg of args) {
    if (!arg.startsWith(`${linkScheme}://`)) continue;
    const place = placeOfLink(arg);
    if (place !== null) return place;
  }
  return null;
}
