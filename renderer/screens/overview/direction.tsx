// An arrow of the pipeline with the number of pending changes; animated while they are transferred.
import type { ReactElement, ReactNode } from 'react';

export function Direction({
  idle,
  back = false,
  children,
}: {
  readonly idle: boolean;
  readonly back?: boolean;
  readonly children: ReactNode;
}): ReactElement {
  const head = (
    <svg className="head" viewBox="0 0 9 9" aria-hidden="true">
      <path d={back ? 'M9 0v9L0 4.5z' : 'M0 0v9l9-4.5z'} />
    </svg>
  );
  return (
    <div className={`direction${back ? ' back' : ''}${idle ? ' idle' : ''}`}>
      {back ? null : <span>{children}</span>}
      <span className="direction-line">
        {back ? head : null}
        <svg className="shaft" viewBox="0 0 200 9" preserveAspectRatio="none" aria-hidden="true">
          <path className="wave" d={back ? 'M12 4.5H200' : 'M0 4.5H188'} vectorEffect="non-scaling-stroke" />
        </svg>
        {back ? null : head}
      </span>
      {back ? <span>{children}</span> : null}
    </div>
  );
}
