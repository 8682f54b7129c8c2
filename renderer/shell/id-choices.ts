// What the finder offers for an id: the screen that shows it, in the workspace that contains it.
import { useLocation } from 'wouter';
import { workspaceOfId } from '../api/id-search.ts';
import { describeError, useServices, useStatus } from '../api/services.ts';
import { screenHref } from '../location/screen-location.ts';
import { rememberWorkspace } from '../location/workspace-choice.ts';
import { type PastedId, pastedIds } from '../model/inbound/pasted-id.ts';
import { announceFailure } from '../parts/feedback/answers.ts';
import { useScreens } from '../screens.ts';
import type { Choice } from './choice.ts';

/** Empty: not an id. */
export function useIdChoices(query: string, workspaceId: string | null): readonly Choice[] {
  const { client } = useServices();
  const workspaces = useStatus()?.workspaces ?? [];
  const screens = useScreens();
  const [, navigate] = useLocation();
  if (workspaceId === null) return [];
  const open = async (id: PastedId): Promise<void> => {
    if (id.screenId === 'logs') return navigate(hrefOf(id, workspaceId));
    try {
      const others = workspaces.map((each) => each.workspaceId).filter((each) => each !== workspaceId);
      const owner = await workspaceOfId(client, id, [workspaceId, ...others]);
      if (owner === null) announceFailure(`${id.id} not found in any workspace.`);
      const workspace = owner ?? workspaceId;
      rememberWorkspace(workspace);
      navigate(hrefOf(id, workspace));
    } catch (error) {
      announceFailure(describeError(error));
    }
  };
  return pastedIds(query).flatMap((id): Choice[] => {
    const screen = screens.find((each) => each.id === id.screenId);
    if (screen === undefined) return [];
    const { icon, name } = screen;
    const text = `${id.name} ${id.id}`;
    return [{ id: `${id.screenId} ${id.id}`, group: 'Id', icon, text, side: name, run: () => void open(id) }];
  });
}

/** A correlation id is the text of a list, any other id the selected row. */
function hrefOf({ kind, id, screenId }: PastedId, workspace: string): string {
  if (kind !== 'correlation') return screenHref(screenId, id, { workspace });
  if (screenId === 'logs') return screenHref(screenId, null, { text: id });
  const all = screenId === 'operations' ? { saves: 'all' } : { echoes: '1' };
  return screenHref(screenId, null, { workspace, text: id, ...all });
}
