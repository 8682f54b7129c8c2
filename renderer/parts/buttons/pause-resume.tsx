// Pauses or resumes one mirror and announces the result.
import { useMutation } from '@tanstack/react-query';
import type { ReactElement, ReactNode } from 'react';
import type { Mirror } from '../../../server/contract/workspaces.ts';
import { describeError, useDisabledReason, useServices } from '../../api/services.ts';
import { dayTime } from '../../model/format.ts';
import { announce, announceFailure } from '../feedback/answers.ts';
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

const hourMs = 3_600_000;

export function usePauseForAnHour(name: string): (mirror: Mirror) => Promise<void> {
  const { client, link } = useServices();
  return async ({ workspaceId, mirrorId }) => {
    const untilMs = Date.now() + hourMs;
    try {
      await client.mirrors.pause(workspaceId, mirrorId, { until: new Date(untilMs) });
      announce(`${name} is paused until ${dayTime(untilMs, Date.now())}.`);
    } catch (error) {
      announceFailure(`${name} was not paused. ${describeError(error)}`);
    }
    link.tryNow();
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
