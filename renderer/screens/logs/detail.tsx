// The detail pane of a log entry: its fields, the lines of the same request, the entry as JSON.
import type { ReactElement } from 'react';
import { useLocation } from 'wouter';
import type { LogEntry } from '../../../sdk/index.ts';
import { screenHref } from '../../location/screen-location.ts';
import { fieldText, levelNames, sourceNames } from '../../model/diagnosis/log-view.ts';
import { fullTime } from '../../model/format.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { copyText, Identifier } from '../../parts/buttons/copy.tsx';
import { Fact } from '../../parts/feedback/fact.tsx';
import { ReadingRegion } from '../../parts/feedback/reading-region.tsx';
import { DetailHead, DetailPane } from '../../parts/tables/detail-head.tsx';
import type { Panes } from '../../parts/tables/use-panes.tsx';

interface LogDetailProps {
  readonly panes: Panes;
  /** null: not loaded, or none is open. */
  readonly entry: LogEntry | null;
  readonly openId: string | null;
  readonly onCorrelation: (correlationId: string) => void;
  readonly onClose: () => void;
}

export function LogDetail({ entry, openId, panes, onCorrelation, onClose }: LogDetailProps): ReactElement {
  return (
    <DetailPane label="Entry" openId={openId} panes={panes}>
      {() =>
        entry === null ? (
          <>
            <DetailHead title="Entry" titleClass="event-title" onClose={onClose} />
            <div className="empty">
              <p>This entry is not loaded, or no longer in the log.</p>
            </div>
          </>
        ) : (
          <OpenEntry entry={entry} onCorrelation={onCorrelation} onClose={onClose} />
        )
      }
    </DetailPane>
  );
}

function OpenEntry({
  entry,
  onCorrelation,
  onClose,
}: Pick<LogDetailProps, 'onCorrelation' | 'onClose'> & { readonly entry: LogEntry }): ReactElement {
  const { correlationId, message, fields } = entry;
  const [, navigate] = useLocation();
  const { opId, workspaceId } = fields;
  return (
    <>
      <DetailHead title={message} titleClass="event-title" onClose={onClose} />
      <ReadingRegion className="detail-body" name="About the entry">
        <EntryFacts entry={entry} />
      </ReadingRegion>
      <div className="detail-foot">
        {typeof opId === 'string' && typeof workspaceId === 'string' ? (
          <Button
            icon="operations"
            onClick={() => navigate(screenHref('operations', opId, { workspace: workspaceId }))}
          >
            Open operation
          </Button>
        ) : null}
        {correlationId === null ? null : (
          <Button icon="filter" onClick={() => onCorrelation(correlationId)}>
            Lines with this id
          </Button>
        )}
        <Button
          icon="copy"
          shortcut="C"
          onClick={() => void copyText(JSON.stringify(entry), 'the entry as JSON')}
        >
          Copy as JSON
        </Button>
      </div>
    </>
  );
}

function EntryFacts({
  entry: { at, level, source, correlationId, fields },
}: {
  readonly entry: LogEntry;
}): ReactElement {
  return (
    <dl className="facts">
      {at === null ? null : (
        <Fact name="Time">
          <time dateTime={at}>{fullTime(Date.parse(at))}</time>
        </Fact>
      )}
      {level === null ? null : <Fact name="Level">{levelNames[level]}</Fact>}
      {source === null ? null : <Fact name="Source">{sourceNames[source]}</Fact>}
      {correlationId === null ? null : (
        <Fact name="Correlation">
          <Identifier text={correlationId} what="the correlation id" />
        </Fact>
      )}
      {Object.entries(fields).map(([name, value]) => (
        <Fact key={name} name={name}>
          <FieldValue name={name} value={value} />
        </Fact>
      ))}
    </dl>
  );
}

function FieldValue({ name, value }: { readonly name: string; readonly value: unknown }): ReactElement {
  const text = fieldText(value);
  if (text.includes('\n')) return <pre className="log-text">{text}</pre>;
  return typeof value === 'string' ? (
    <Identifier text={text} what={`the ${name}`} />
  ) : (
    <span className="mono">{text}</span>
  );
}
