// Commands of the finder.
import { agentUrl } from '../api/desktop.ts';
import { describeError, useDisabledReason, useServices, useStatus, workspaceName } from '../api/services.ts';
import { copyText } from '../parts/buttons/copy.tsx';
import { announce } from '../parts/feedback/announcer.tsx';
import type { Meaning } from '../parts/feedback/icon.tsx';
import { usePauseAll } from './pause-all.tsx';

export interface Command {
  readonly id: string;
  readonly icon: Meaning;
  readonly text: string;
  readonly run: () => void;
}

/** Only commands that are available now. */
export function useCommands(): readonly Command[] {
  const { client, link } = useServices();
  const disabledReason = useDisabledReason();
  const status = useStatus();
  const pauseAll = usePauseAll();
  const url = status?.url ?? agentUrl();
  const copy: Command = {
    id: 'copy-api-address',
    icon: 'copy',
    text: 'Copy API address',
    run: () => void copyText(url, 'the API address'),
  };
  if (disabledReason !== null || status === null) return [copy];
  const announceResult = async (done: Promise<unknown>, text: string): Promise<void> => {
    announce(await done.then(() => text, describeError));
    link.tryNow();
  };
  const mirrors = status.mirrors.filter(({ state }) => state !== 'halted');
  return [
    ...(pauseAll === null || mirrors.length < 2
      ? []
      : [{ id: 'pause-all', icon: 'paused' as const, text: `${pauseAll.verb} mirrors`, run: pauseAll.run }]),
    ...mirrors.map(({ mirrorId, workspaceId, state }): Command => {
      const name = workspaceName(status.workspaces, workspaceId);
      const isPaused = state === 'paused';
      return {
        id: `pause ${mirrorId}`,
        icon: isPaused ? 'resume' : 'paused',
        text: `${isPaused ? 'Resume' : 'Pause'} ${name}`,
        run: () =>
          void announceResult(
            isPaused
              ? client.mirrors.resume(workspaceId, mirrorId)
              : client.mirrors.pause(workspaceId, mirrorId),
            `${name} is ${isPaused ? 'resumed' : 'paused'}.`,
          ),
      };
    }),
    copy,
  ];
}
