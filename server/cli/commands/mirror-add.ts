// Adds a mirror for several commands. A folder that another sync program manages requires --yes.
import { CloudFolderError, type Mirror, type MooringClient } from '../../../sdk/index.ts';
import { failure } from '../shared/failure.ts';

export const cloudFolderHelp = 'accept a folder that another sync program manages';

type AddOptions = Parameters<MooringClient['mirrors']['add']>[2];

export async function addMirror(
  client: MooringClient,
  workspaceId: string,
  dir: string,
  options: AddOptions,
): Promise<Mirror> {
  try {
    return await client.mirrors.add(workspaceId, dir, options);
  } catch (error) {
    if (!(error instanceof CloudFolderError)) throw error;
    throw failure(error.message, 'To mirror it anyway, repeat the command with --yes.');
  }
}
