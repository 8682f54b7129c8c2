// Where a part of the page cannot be shown, the reason and what to do stand in its place; without it React would take the whole page away.
// The code of a part is missing while the agent is gone, or after it was updated under an open page.
import { Component, type ReactElement, type ReactNode } from 'react';
import { agentUrl } from '../../api/desktop.ts';
import { useDisabledReason } from '../../api/services.ts';
import { Button } from '../buttons/button.tsx';
import { loadFailedPartsAgain } from '../lazy-part.ts';
import { ErrorBlock } from './error-block.tsx';

/** As Chromium, Firefox and Safari say that a module was not loaded. */
const notLoaded = /dynamically imported module|module script/i;

interface PartBoundaryProps {
  /** Names the part: another one is shown whatever became of this one. */
  readonly part: string;
  /** Of a part that has the heading of the page. */
  readonly heading?: string;
  readonly children: ReactNode;
}

export function PartBoundary(props: PartBoundaryProps): ReactElement {
  const isOnline = useDisabledReason() === null;
  return <Boundary {...props} isOnline={isOnline} />;
}

interface BoundaryProps extends PartBoundaryProps {
  readonly isOnline: boolean;
}

class Boundary extends Component<BoundaryProps, { readonly error: Error | null }> {
  override state = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  override componentDidUpdate({ part, isOnline }: BoundaryProps): void {
    const isBack = !isOnline && this.props.isOnline;
    if (this.state.error !== null && (part !== this.props.part || isBack)) this.#showAgain();
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return <PartFailed error={error} heading={this.props.heading} onAgain={() => this.#showAgain()} />;
  }

  #showAgain(): void {
    loadFailedPartsAgain();
    this.setState({ error: null });
  }
}

function PartFailed({
  error,
  heading,
  onAgain,
}: {
  readonly error: Error;
  readonly heading: string | undefined;
  readonly onAgain: () => void;
}): ReactElement {
  const disabledReason = useDisabledReason();
  const isNotLoaded = notLoaded.test(error.message);
  return (
    <div className="binary">
      {heading === undefined ? null : <h1 className="reader-only">{heading}</h1>}
      <ErrorBlock
        tone="warn"
        cause={
          isNotLoaded
            ? 'The code of this part of the page was not loaded. After an update of the agent the page needs a reload.'
            : `This part of the page failed: ${error.message}`
        }
        path={<span className="mono">{agentUrl()}</span>}
        pathLabel="Address"
        next={
          <div className="row wrap">
            <Button disabledReason={disabledReason} onClick={onAgain}>
              Retry
            </Button>
            <Button disabledReason={disabledReason} onClick={() => location.reload()}>
              Reload page
            </Button>
          </div>
        }
        retry="Retries automatically when the agent responds again."
      />
    </div>
  );
}
