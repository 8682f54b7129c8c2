// What a page of the app may not do, whatever it is made to run: leave, open windows, ask for permissions, embed
// other contents. Denied by default; the one exception is a link to the web, which opens in the user's browser.
import type { Session, WebContents } from 'electron';
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

/** Every permission (camera, notifications, file system, ...) and every device is refused. */
export function denyPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, _permission, decide) => decide(false));
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
}
