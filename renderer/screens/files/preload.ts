// What the address of a page names is loaded while the page signs in and asks for the status, not after it.
import type { Services } from '../../api/services.ts';
import { fileQuery } from '../../api/use-file.ts';
import { filesLocation, screenInAddress } from '../../location/app-location.ts';
import { preloadView } from '../../parts/feedback/file-content.tsx';

/** The code that shows the file in the address. */
export function preloadFileView(): void {
  const { file } = filesLocation();
  if (screenInAddress() === 'files' && file !== null) preloadView(file);
}

/** The folder and the file in the address. Failures are shown by the screen, which asks again. */
export function preloadFiles(services: Services): void {
  if (screenInAddress() !== 'files') return;
  const { workspaceId, folder, file, atMs } = filesLocation();
  if (workspaceId === null || atMs !== null) return;
  // Before the reads, so that no change between a read and the beginning of the stream is missed. The status ends it if there is no such
  // workspace.
  services.live.view(workspaceId);
  services.live.follow([workspaceId]);
  services.folders(workspaceId).open(folder);
  if (file !== null) void services.queries.prefetchQuery(fileQuery(services.client, workspaceId, file, null));
}
