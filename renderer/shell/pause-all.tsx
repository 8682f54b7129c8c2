// Pauses all mirrors, and resumes those that it paused (model/mirror/pause-together.ts). One request per mirror: a failure does not stop
// the others and is announced.
import { useMutation } from '@tanstack/react-query';
import { type ReactElement, useEffect, useRef } from 'react';
import { describeError, useDisabledReason, useServices, useStatus } from '../api/services.ts';
import { dayTime, plural } from '../model/format.ts';
import { pauseTogether } from '../model/mirror/pause-together.ts';
import { Button } from '../parts/buttons/button.tsx';
import { PauseMenu } from '../parts/buttons/pause-menu.tsx';
import { announce, announceFailure } from '../parts/feedback/answers.ts';

const storageKey = 'mooring.paused-together';

/** Ids of the mirrors that `Pause all` paused in this browser. */
function pausedHere(): readonly string[] {
  return (localStorage.getItem(storageKey) ?? '').split(' ');
}

function remember(mirrorIds: readonly string[]): void {
  localStorage.setItem(storageKey, mirrorIds.join(' '));
}

export interface PauseAllAction {
  readonly verb: 'Pause all' | 'Resume all';
  readonly disabledReason: string | null;
  /** `untilMs`: when they resume; null, and to resume: no end. */
  readonly run: (untilMs?: number | null) => void;
}

/** null: no mirror can be paused or resumed. */
export function usePauseAll(): PauseAllAction | null {
  const { client, link } = useServices();
  const disabledReason = useDisabledReason();
  const { pauses, mirrors } = pauseTogether(useStatus()?.mirrors ?? [], pausedHere());
  const mutation = useMutation({
    mutationFn: async (untilMs: number | null) => {
      remember(pauses ? mirrors.map(({ mirrorId }) => mirrorId) : []);
      const results = await Promise.allSettled(
        mirrors.map(({ workspaceId, mirrorId }) =>
          pauses
            ? client.mirrors.pause(
                workspaceId,
                mirrorId,
                untilMs === null ? {} : { until: new Date(untilMs) },
              )
            : client.mirrors.resume(workspaceId, mirrorId),
        ),
      );
      const failed = results.find((result) => result.status === 'rejected');
      if (failed !== undefined) throw failed.reason;
      return results.length;
    },
    onSuccess: (number, untilMs) => {
      const end = untilMs === null ? '' : ` until ${dayTime(untilMs, Date.now())}`;
      announce(`${plural(number, 'mirror')} ${pauses ? 'paused' : 'resumed'}${end}.`);
    },
    onError: (error) =>
      announceFailure(`Some mirrors were not ${pauses ? 'paused' : 'resumed'}. ${describeError(error)}`),
    onSettled: () => link.tryNow(),
  });
  if (mirrors.length === 0) return null;
  return {
    verb: pauses ? 'Pause all' : 'Resume all',
    disabledReason: mutation.isPending ? 'Working…' : disabledReason,
    run: (untilMs = null) => mutation.mutate(untilMs),
  };
}

export function PauseAll(): ReactElement | null {
  const action = usePauseAll();
  const place = useRef<HTMLSpanElement>(null);
  const hasActed = useRef(false);
  const verb = action?.verb;
  // The button that was used is replaced by the other one, which takes its focus.
  useEffect(() => {
    if (verb === undefined || !hasActed.current) return;
    hasActed.current = false;
    if (document.activeElement === document.body) place.current?.querySelector('button')?.focus();
  }, [verb]);
  if (action === null) return null;
  const { disabledReason, run } = action;
  const act = (untilMs: number | null): void => {
    hasActed.current = true;
    run(untilMs);
  };
  return (
    <span ref={place}>
      {verb === 'Pause all' ? (
        <PauseMenu text={verb} disabledReason={disabledReason} onPause={({ untilMs }) => act(untilMs)} />
      ) : (
        <Button kind="ghost" icon="resume" disabledReason={disabledReason} onClick={() => act(null)}>
          {verb}
        </Button>
      )}
    </span>
  );
}
