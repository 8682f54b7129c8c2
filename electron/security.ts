// Restricts the pages of the app: no navigation, new windows, permissions, embedded contents or downloads. Exceptions: https
// links open in the user's browser, text can be copied to the clipboard, and files created by the page can be saved with a
// dialog.
import type { DownloadItem, Session, WebContents } from 'electron';
import { isAppUrl } from './app-protocol.ts';

/** An external link must be https without credentials. */
function isWebUrl(url: string): boolean {
  const parsed = URL.parse(url);
  return parsed !== null && parsed.protocol === 'https:' && parsed.username === '' && parsed.password === '';
}

/** Restricts one page; call it for every web contents that the app creates. */
export function restrictContents(contents: WebContents, openInBrowser: (url: string) => void): void {
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

/** The only permission of a page: writing text to the clipboard from its main frame. Reading is denied. */
const clipboardWrite = 'clipboard-sanitized-write';

/** Denies every other permission (camera, notifications, file system, ...) and every device. */
export function limitPermissions(session: Session): void {
  session.setPermissionRequestHandler((_contents, permission, decide, details) => {
    decide(permission === clipboardWrite && details.isMainFrame && isAppUrl(details.requestingUrl));
  });
  session.setPermissionCheckHandler((_contents, permission, origin, details) => {
    return permission === clipboardWrite && details.isMainFrame && isAppUrl(origin);
  });
  session.setDevicePermissionHandler(() => false);
}

/** Only files created by the page (a report, an export) can be saved, with a dialog. */
export function limitDownloads(session: Session): void {
  session.on('will-download', (event, item: DownloadItem) => {
    const url = item.getURL();
    if (!url.startsWith('blob:') || !isAppUrl(url.slice('blob:'.length))) event.preventDefault();
    else item.setSaveDialogOptions({ title: 'Save', properties: ['showOverwriteConfirmation'] });
  });
}
