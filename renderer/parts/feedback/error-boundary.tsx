// An error boundary shows the cause and the remedy in place of a part of the page that failed; without one React removes the whole page.
// The code of a part cannot be loaded while the agent is stopped, or after the agent was updated under an open page.
import { Component, type ReactElement, type ReactNode } from 'react';
import { agentUrl } from '../../api/desktop.ts';
import { useDisabledReason } from '../../api/services.ts';
import { Button } from '../buttons/button.tsx';
import { discardFailedLoads } from '../lazy-part.ts';
import { ErrorBlock } from './error-block.tsx';

/** The errors of Chromium, Firefox and Safari for a module that could not be loaded. */
const notLoaded = /dynamically imported module|module script/i;

interface ErrorBoundaryProps {
  /** Identifies the part; another value shows the children again. */
  readonly resetKey: string;
  /** For a part that contains the heading of the page. */
  readonly heading?: string;
  readonly children: ReactNode;
}

export function ErrorBoundary(props: ErrorBoundaryProps): ReactElement {
  const isOnline = useDisabledReason() === null;
  return <Boundary {...props} isOnline={isOnline} />;
}

interface BoundaryProps extends ErrorBoundaryProps {
  readonly isOnline: boolean;
}

class Boundary extends Component<BoundaryProps, { readonly error: Error | null }> {
  override state = { error: null };

  static getDerivedStateFromError(error: unknown) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }

  /** After the failure is shown: the part is loaded again wherever it is shown next. */
  override componentDidCatch(): void {
    discardFailedLoads();
  }

  override componentDidUpdate({ resetKey, isOnline }: BoundaryProps): void {
    const isBack = !isOnline && this.props.isOnline;
    if (this.state.error !== null && (resetKey !== this.props.resetKey || isBack)) this.#reset();
  }

  override render(): ReactNode {
    const { error } = this.state;
    if (error === null) return this.props.children;
    return <PartFailed error={error} heading={this.props.heading} onRetry={() => this.#reset()} />;
  }

  #reset(): void {
    this.setState({ error: null });
  }
}

function PartFailed({
  error,
  heading,
  onRetry,
}: {
  readonly error: Error;
  readonly heading: string | undefined;
  readonly onRetry: () => void;
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
            ? 'The code of this part of the page could not be loaded. If the agent was updated, reload the page.'
            : `This part of the page failed: ${error.message}`
        }
        path={<span className="mono">{agentUrl()}</span>}
        pathLabel="Address"
        next={
          <div className="row wrap">
            <Button disabledReason={disabledReason} onClick={onRetry}>
              Retry
            </Button>
            <Button disabledReason={disabledReason} onClick={() => location.reload()}>
              Reload page
            </Button>
          </div>
        }
        retry="Retries automatically when the agent responds."
      />
    </div>
  );
}
