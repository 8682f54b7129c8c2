// What is happening, and what belongs together? The feed of one workspace, live; it holds still while somebody reads.
import {
  type ReactElement,
  type RefObject,
  useCallback,
  useDeferredValue,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react';
import type { Workspace } from '../../server/contract/workspaces.ts';
import { useActivity } from '../api/activity.ts';
import { useObservable } from '../api/observable.ts';
import { useRevisionActors } from '../api/revision-actors.ts';
import { useBlocked, useServices } from '../api/services.ts';
import { useKeys } from '../keys.ts';
import {
  type ActivityKind,
  activityKinds,
  type ByWhom,
  eventNumber,
  feedPath,
  isError,
  kindNames,
  passes,
} from '../model/activity-view.ts';
import { eventView } from '../model/event-view.ts';
import { clock, count, counted } from '../model/format.ts';
import type { StatusView } from '../model/mirror-view.ts';
import { Button } from '../parts/button.tsx';
import { copyText } from '../parts/copy.tsx';
import { ErrorBlock } from '../parts/error-block.tsx';
import { FilterChips } from '../parts/filter-chips.tsx';
import { Icon } from '../parts/icon.tsx';
import { OneWorkspace } from '../parts/one-workspace.tsx';
import { readingRegionId } from '../parts/reading-region.tsx';
import { SkeletonRows } from '../parts/skeleton-rows.tsx';
import { Status } from '../parts/status.tsx';
import { useScreenPlace } from '../screen-place.ts';
import { EventDetail } from './activity/detail.tsx';
import { FeedRate } from './activity/feed-rate.tsx';
import { EventList, type ListHandle } from './activity/list.tsx';

export function ActivityScreen(): ReactElement {
  return (
    <OneWorkspace title="Activity">
      {(workspace) => <WorkspaceActivity key={workspace.workspaceId} workspace={workspace} />}
    </OneWorkspace>
  );
}

function WorkspaceActivity({ workspace }: { readonly workspace: Workspace }): ReactElement {
  const { workspaceId } = workspace;
  const place = useScreenPlace('activity');
  const path = place.field('path');
  const folder = useSettled(feedPath(path));
  const activity = useActivity(workspaceId, folder);
  const textField = useRef<HTMLInputElement>(null);
  const listHandle = useRef<ListHandle | null>(null);
  const [paused, setPaused] = useState(false);
  const [scrolled, setScrolled] = useState(false);
  /** The newest event that is shown; null: every new one is. */
  const [frozenAt, setFrozenAt] = useState<number | null>(null);

  const kind = activityKinds.find((each) => each === place.field('kind')) ?? 'all';
  const echoes = place.field('echoes') === '1';
  const text = useDeferredValue(place.field('text'));
  const actors = useRevisionActors(workspaceId, activity.events);
  const byWhom = useCallback<ByWhom>(
    (event) => eventView(event).by ?? actors.get(event.revision) ?? null,
    [actors],
  );
  const matching = useMemo(
    () => activity.events.filter((event) => passes(event, { kind, echoes, text }, byWhom)),
    [activity.events, kind, echoes, text, byWhom],
  );
  const rows = useMemo(
    () => (frozenAt === null ? matching : matching.filter((event) => eventNumber(event.eventId) <= frozenAt)),
    [matching, frozenAt],
  );
  const waiting = matching.length - rows.length;
  const newest = eventNumber(activity.events[0]?.eventId ?? '');
  const isHeld = paused || scrolled;
  useEffect(() => {
    if (!isHeld) setFrozenAt(null);
    else setFrozenAt((before) => before ?? newest);
  }, [isHeld, newest]);
  const goOn = (): void => {
    setPaused(false);
    setScrolled(false);
    setFrozenAt(null);
    listHandle.current?.toTop();
  };
  const narrowed = kind !== 'all' || text !== '' || path !== '';
  const selected = activity.events.find((event) => event.eventId === place.selected);
  const close = (): void => place.go({ selected: null });
  useKeys({
    p: () => (paused ? goOn() : setPaused(true)),
    '/': () => textField.current?.select(),
    j: () => listHandle.current?.focus(true),
    k: () => listHandle.current?.focus(true),
    ArrowDown: () => listHandle.current?.focus(true),
    ArrowUp: () => listHandle.current?.focus(true),
    c: () =>
      selected?.correlationId !== undefined && void copyText(selected.correlationId, 'the correlation id'),
    Escape: () => {
      if (place.selected !== null && document.activeElement?.closest('.list') !== null) close();
      else listHandle.current?.focus(false);
    },
  });
  return (
    <div className={place.selected === null ? 'activity' : 'activity with-detail'}>
      <div className="screen-head">
        <h1>Activity</h1>
        {paused ? <Status kind="paused" word="Paused" pill /> : <FeedStatus />}
        <span className="soft ellipsis">
          {waiting > 0 ? `${count(waiting)} new since ${timeOf(rows[0]?.timestamp)}` : workspace.name}
        </span>
        <FeedRate events={activity.events} hasOlder={activity.hasOlder} />
        <span>
          {isHeld ? (
            <Button kind="primary" icon="resume" shortcut="P" onClick={goOn}>
              {waiting > 0 ? `Show ${count(waiting)} new and go on` : 'Go on'}
            </Button>
          ) : (
            <Button icon="paused" shortcut="P" onClick={() => setPaused(true)}>
              Pause
            </Button>
          )}
        </span>
      </div>
      <div className="filter-bar">
        <FilterChips
          label="Kind"
          value={kind}
          options={activityKinds.map((each) => ({
            value: each,
            name: kindNames[each],
            ...(each === 'errors' ? { figure: activity.events.filter(isError).length } : {}),
          }))}
          onChange={(next: ActivityKind) => place.go({ fields: { kind: next === 'all' ? '' : next } })}
        />
        <span className="chips">
          <button
            type="button"
            aria-pressed={echoes}
            title="What came back of what Mooring sent, and what came too late"
            onClick={() => place.go({ fields: { echoes: echoes ? '' : '1' }, replace: true })}
          >
            Echoes
          </button>
        </span>
        <span className="end row filter-fields">
          <FilterField
            label="Path, and what lies below it"
            placeholder="/path"
            icon="folder"
            value={path}
            onChange={(value) => place.go({ fields: { path: value }, replace: true })}
            onLeave={() => listHandle.current?.focus(true)}
          />
          <FilterField
            fieldRef={textField}
            label="Name, who, correlation or event id"
            placeholder="Name, who or id"
            icon="search"
            value={place.field('text')}
            onChange={(value) => place.go({ fields: { text: value }, replace: true })}
            onLeave={() => listHandle.current?.focus(true)}
          />
        </span>
      </div>
      <section className="pane list" aria-label="Events">
        {activity.state === 'reading' && activity.events.length === 0 ? (
          <SkeletonRows />
        ) : activity.state === 'failed' && activity.events.length === 0 ? (
          <div className="binary">
            <ErrorBlock
              tone="warn"
              cause={activity.error}
              path={<span className="mono">{folder}</span>}
              next={<Button onClick={activity.readAgain}>Read it again</Button>}
              retry="By itself, every 5 s while the agent answers."
            />
          </div>
        ) : rows.length === 0 ? (
          <div className="empty">
            {narrowed ? (
              <>
                <h2>Nothing matches</h2>
                <p>
                  None of the {counted(activity.events.length, 'event')} read so far matches. Each new one
                  that does appears here.
                </p>
                <div className="row">
                  <Button onClick={() => place.go({ fields: { kind: '', text: '', path: '' } })}>
                    Show all
                  </Button>
                </div>
              </>
            ) : (
              <>
                <h2>Nothing yet</h2>
                <p>Save a file in the folder, or write one through the API: it shows here at once.</p>
              </>
            )}
          </div>
        ) : (
          <EventList
            rows={rows}
            byWhom={byWhom}
            selected={place.selected}
            handle={listHandle}
            onSelect={(eventId) => place.go({ selected: eventId, replace: place.selected !== null })}
            onEnter={() => document.getElementById(readingRegionId)?.focus()}
            onScrolled={setScrolled}
            onEnd={activity.readOlder}
          />
        )}
        <div className="pane-foot">
          <span>
            {counted(rows.length, 'event')}
            {rows.length === activity.events.length ? '' : ` of ${count(activity.events.length)} read`}
          </span>
          {activity.error !== null && activity.state === 'ready' ? <span>{activity.error}</span> : null}
          {activity.hasOlder ? (
            <ReadOlder reading={activity.readingOlder} onRead={activity.readOlder} />
          ) : null}
        </div>
      </section>
      <EventDetail
        workspaceId={workspaceId}
        eventId={place.selected}
        events={activity.events}
        byWhom={byWhom}
        onSelect={(eventId) => place.go({ selected: eventId, replace: true })}
        onCorrelation={(correlationId) =>
          place.go({ fields: { text: correlationId, kind: '', echoes: '1' } })
        }
        onClose={close}
      />
    </div>
  );
}

function ReadOlder({
  reading,
  onRead,
}: {
  readonly reading: boolean;
  readonly onRead: () => void;
}): ReactElement {
  const blocked = useBlocked();
  return (
    <span className="end">
      <Button kind="ghost" blocked={blocked ?? (reading ? 'They are being read.' : null)} onClick={onRead}>
        Read older ones
      </Button>
    </span>
  );
}

const feedViews: Record<'connecting' | 'live' | 'polling', StatusView> = {
  live: { kind: 'ok', word: 'Live' },
  polling: { kind: 'warn', word: 'Polling every 5 s' },
  connecting: { kind: 'waiting', word: 'Connecting' },
};

function FeedStatus(): ReactElement {
  const { live } = useServices();
  const state = useObservable(live.state);
  const offline = useBlocked() !== null;
  return <Status {...(offline ? { kind: 'offline', word: 'Offline' } : feedViews[state])} pill />;
}

function FilterField({
  label,
  placeholder,
  icon,
  value,
  onChange,
  onLeave,
  fieldRef,
}: {
  readonly label: string;
  readonly placeholder: string;
  readonly icon: 'folder' | 'search';
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onLeave: () => void;
  readonly fieldRef?: RefObject<HTMLInputElement | null>;
}): ReactElement {
  return (
    <span className="search">
      <Icon of={icon} small />
      <input
        {...(fieldRef === undefined ? {} : { ref: fieldRef })}
        className="input"
        type="text"
        aria-label={label}
        title={label}
        placeholder={placeholder}
        autoComplete="off"
        spellCheck={false}
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onChange('');
          else if (event.key !== 'ArrowDown' && event.key !== 'Enter') return;
          event.preventDefault();
          requestAnimationFrame(onLeave);
        }}
      />
    </span>
  );
}

const settleMs = 250;

/** The value when it has not changed for a moment: each one asks the agent. */
function useSettled(value: string): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    if (value === settled) return;
    const timer = setTimeout(() => setSettled(value), settleMs);
    return () => clearTimeout(timer);
  }, [value, settled]);
  return settled;
}

function timeOf(timestamp: string | undefined): string {
  return timestamp === undefined ? 'then' : clock(Date.parse(timestamp));
}
