// What a mirror's loop exposes for its status. Types only.
import type { MirrorState } from '../../contract/workspaces.ts';
import type { WatchState, WatchTrouble } from '../../disk/port/folder.ts';
import type { ConflictRow, MirrorRow } from '../../store/port/store.ts';
import type { SyncSession } from '../cycle/session.ts';
import type { HaltView } from '../guard/deletion-guard.ts';
import type { ProofReading } from '../proof/proof-meter.ts';

export interface FullScanTimes {
  /** null: none since the mirror started. */
  readonly lastAtMs: number | null;
  /** null: no session is running. */
  readonly nextAtMs: number | null;
  readonly cpuMs: number | null;
}

export interface LoopView {
  readonly row: MirrorRow;
  readonly session: SyncSession | null;
  readonly halt: HaltView;
  readonly conflicts: readonly ConflictRow[];
  /** Files in the base; without a session: at the end of the last one. */
  readonly files: number;
  readonly state: MirrorState;
  readonly watch: WatchState;
  /** Why file watching is unavailable; null when it works. */
  readonly watchTrouble: WatchTrouble | null;
  readonly fullScan: FullScanTimes;
  /** Why the state is `error`; null when it is not. */
  readonly failure: string | null;
  /** Time of the next start after a failure. */
  readonly retryAtMs: number | null;
  readonly proof: ProofReading;
}
