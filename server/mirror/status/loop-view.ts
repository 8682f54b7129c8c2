// What a mirror's loop lets be seen of itself. Types only.
import type { MirrorState } from '../../contract/workspaces.ts';
import type { WatchState, WatchTrouble } from '../../disk/port/folder.ts';
import type { ConflictRow, MirrorRow } from '../../store/port/store.ts';
import type { SyncSession } from '../cycle/session.ts';
import type { ProofReading } from '../proof/proof-meter.ts';
import type { ProblemList } from './problem-list.ts';

export interface LoopView {
  readonly row: MirrorRow;
  readonly session: SyncSession | null;
  readonly conflicts: readonly ConflictRow[];
  /** Files that both sides agree on; without a session as it was at the end of the last one. */
  readonly files: number;
  readonly state: MirrorState;
  readonly watch: WatchState;
  /** Why the system tells of no changes; null when it does. */
  readonly watchTrouble: WatchTrouble | null;
  /** Why the state is `error`; null when it is not. */
  readonly failure: string | null;
  /** When it begins anew after a failure. */
  readonly retryAtMs: number | null;
  readonly proof: ProofReading;
  readonly problemList: ProblemList;
}
