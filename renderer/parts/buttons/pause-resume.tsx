// Pauses or resumes one mirror and announces the result.
import { useMutation } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import type { Mirror } from '../../../server/contract/workspaces.ts';
import { describeError, useDisabledReason, useServices } from '../../api/services.ts';
import { announce } from '../feedback/answers.ts';
import { Button } from './button.tsx';

export interface PauseResume {
  readonly verb: 'Pause' | 'Resume';
  readonly running: boolean;
  readonly error: string | null;
  readonly run: () => void;
}

export function usePauseResume(mirror: Mirror, name: string): PauseResume {
  const { client, link } = useServices();
  const verb = mirror.state === 'paused' || mirror.state === 'halted' ? 'Resume' : 'Pause';
  const mutation = useMutation({
    mutationFn: async () =>
      verb === 'Resume'
        ? await client.mirrors.resume(mirror.workspaceId, mirror.mirrorId)
        : await client.mirrors.pause(mirror.workspaceId, mirror.mirrorId),
    onSuccess: () => announce(`${name} is ${verb === 'Resume' ? 'resumed' : 'paused'}.`),
    onSettled: () => link.tryNow(),
  });
  return {
    verb,
    running: mutation.isPending,
    error: mutation.isError ? describeError(mutation.error) : null,
    run: () => {
      if (!mutation.isPending) mutation.mutate();
    },
  };
}

export function PauseResumeButton({
  change: { verb, running, run },
  shortcut,
  children,
}: {
  readonly change: PauseResume;
  readonly shortcut?: string;
  /** Follows the verb. */
  readonly children?: ReactNode;
}): ReactElement {
  const disabledReason = useDisabledReason();
  return (
    <Button
      icon={verb === 'Pause' ? 'paused' : 'resume'}
      {...(shortcut === undefined ? {} : { shortcut })}
      disabledReason={running ? `${verb === 'Pause' ? 'Pausing' : 'Resuming'}…` : disabledReason}
      onClick={run}
    >
      {verb}
      {children}
    </Button>
  );
}
