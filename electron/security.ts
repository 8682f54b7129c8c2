// What a page of the app may not do, whatever it is made to run: leave, open windows, ask for permissions, embed other
// contents, save files of others. Denied by default; the exceptions are a link to the web, which opens in the user's
// browser, putting text on the clipboard, and saving what the page itself made, which asks the person where to.
import type { DownloadItem, Session, WebContents } from 'electron';
import { isAppUrl } from './app-protocol.ts';

/** Where a link may lead outside: the web, and nothing that starts a program or carries a sign-in. */
function isWebUrl(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && parsed.protocol === 'https:' && parsed.username === '' && parsed.password === '';
}

/** Guards one page; to be called for every web contents that the app creates. */
export function guardContents(contents: WebContents, openInBrowser: (url: string) => void): void {
  contents.on('will-frame-navigate', (event) => {
    if (!isAppUrl(event.url)) event.preventDefault();
  });
  contents.on('will-redirect', (event) => {
    if (!isAppUrl(event.url)) event.preventDefault();
  });
  contents.on('will-attach-webview', (event) => event.preventDefault());
  contents.setWindowOpenHandler(({ url }) => {
    if (isWebUrl(url)) openInBrowser(url);
    return { action: 'deny' };
  });
}

/** The only permission that a page gets: to put text on the clipboard, from its main frame. Reading it stays denied. */
const clipboardWrite = 'clipboard-sanitized-write';

/** Every other permission (camera, notifications, file system, ...) and every device is refused. */
export function limitPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, decide, details) => {
    decide(permission === clipboardWrite && details.isMainFrame && isAppUrl(details.requestingUrl));
  });
  session.setPermissionCheckHandler((_contents, permission, origin, details) => {
    return permission === clipboardWrite && details.isMainFrame && isAppUrl(origin);
  });
  session.setDevicePermissionHandler(() => false);
}

/** What the page made itself (a report, an export) may be saved where the person says; nothing else is downloaded. */
export function limitDownloads(session: Session): void {
  session.on('will-download', (event, item: DownloadItem) => {
    const url = item.getURL();
    if (!url.startsWith('blob:') || !isAppUrl(url.slice('blob:'.length))) event.preventDefault();
    else item.setSaveDialogOptions({ title: 'Save', properties: ['showOverwriteConfirmation'] });
  });
}
