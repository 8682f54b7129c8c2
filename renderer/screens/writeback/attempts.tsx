// The steps of an operation so far, newest first.
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { actorLabel } from '../../../sdk/actor-label.ts';
import type { Operation, OperationStep, OperationSteps } from '../../../server/contract/operations.ts';
import { describeError, useServices } from '../../api/services.ts';
import { duration } from '../../model/format.ts';
import { Icon, type Meaning } from '../../parts/feedback/icon.tsx';
import { Time } from '../../parts/feedback/time.tsx';

export function Attempts({
  workspaceId,
  operation,
}: {
  readonly workspaceId: string;
  readonly operation: Operation;
}): ReactElement {
  const { client } = useServices();
  const { opId } = operation;
  const query = useQuery({
    queryKey: ['outbound-steps', workspaceId, opId, operation.status, operation.updatedAt],
    queryFn: async () => await client.operations.steps(workspaceId, opId),
    placeholderData: (before) => before,
  });
  return (
    <section aria-labelledby="attempts">
      <h3 id="attempts" className="section-head">
        Attempts
      </h3>
      {query.isError ? (
        <p className="hint bad">{describeError(query.error)}</p>
      ) : query.data === undefined ? (
        <p className="faint">Loading…</p>
      ) : (
        <ol className="attempts">
          {query.data.steps
            .filter((step) => step.kind !== 'settled')
            .toReversed()
            .map((step) => {
              const view = stepView(step, query.data);
              return (
                <li key={`${step.kind} ${step.at} ${step.attempt ?? ''}`}>
                  <Icon of={view.icon} small />
                  <span>
                    <b>{view.text}</b>{' '}
                    <span className="faint">
                      <Time at={step.at} as="clock" />
                      {view.more === '' ? '' : ` · ${view.more}`}
                    </span>
                  </span>
                </li>
              );
            })}
        </ol>
      )}
    </section>
  );
}

interface StepView {
  readonly icon: Meaning;
  readonly text: string;
  readonly more: string;
}

function stepView(step: OperationStep, steps: OperationSteps): StepView {
  const took =
    step.endedAt === undefined ? '' : `after ${duration(Date.parse(step.endedAt) - Date.parse(step.at))}`;
  switch (step.kind) {
    case 'written':
      return { icon: 'edit', text: `Written${actorText(steps)}`, more: '' };
    case 'attempt': {
      const delivered = step.outcome === 'delivered';
      const result = step.outcome === undefined ? 'running' : (step.message ?? step.outcome);
      return {
        icon: delivered ? 'fine' : step.outcome === undefined ? 'moving' : 'warning',
        text: `Attempt ${step.attempt ?? ''}: ${delivered ? 'delivered' : result}`,
        more: took,
      };
    }
    case 'waiting':
      return { icon: 'waiting', text: `Waited ${took.replace('after ', '')}`, more: '' };
    case 'acknowledged':
      return {
        icon: step.outcome === 'succeeded' ? 'fine' : 'failed',
        text: step.outcome === 'succeeded' ? 'Marked sent' : `Marked failed: ${step.message ?? 'no cause'}`,
        more: '',
      };
    case 'replayed':
      return { icon: 'replay', text: 'Replayed', more: step.outcome ?? '' };
    case 'hastened':
      return { icon: 'replay', text: 'Retry now requested', more: '' };
    case 'canceled':
      return { icon: 'canceled', text: 'Canceled', more: '' };
    case 'superseded':
      return { icon: 'info', text: `Superseded by a newer operation: ${step.message ?? ''}`, more: '' };
    case 'settled':
      return { icon: 'fine', text: 'Finished', more: '' };
  }
}

function actorText({ actor }: OperationSteps): string {
  if (actor === undefined) return '';
  return ` by ${actorLabel(actor)}`;
}
