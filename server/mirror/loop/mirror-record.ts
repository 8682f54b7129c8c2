// A mirror's own row: as it is in memory, and as it is stored. It knows neither folder nor workspace.
import type { MirrorRow, Store } from '../../store/port/store.ts';

export type RowPatch = Partial<Omit<MirrorRow, 'mirrorId' | 'workspaceId'>>;

export class MirrorRecord {
  readonly #store: Store;
  readonly #onBaseForgotten: () => void;
  #row: MirrorRow;

  /** `onBaseForgotten`: nothing that was found out of the two sides holds any more. */
  constructor(store: Store, row: MirrorRow, onBaseForgotten: () => void) {
    this.#store = store;
    this.#row = row;
    this.#onBaseForgotten = onBaseForgotten;
  }

  get now(): MirrorRow {
    return this.#row;
  }

  async update(patch: RowPatch): Promise<void> {
    this.#row = { ...this.#row, ...patch };
    await this.#store.mirrors.update(this.#row.mirrorId, patch);
  }

  /** Nothing is known of what both sides agreed on: the next contact only adds (sync-engine rule 12). */
  async resetBase(patch: RowPatch): Promise<void> {
    await this.#store.mirrors.clearBase(this.#row.mirrorId);
    this.#onBaseForgotten();
    await this.update({ ...patch, established: false });
  }

  /** A restored store has another epoch: what was agreed on with the one before is unknown (architecture, invariant 5). */
  async checkEpoch(): Promise<MirrorRow> {
    const epoch = await this.#store.maintenance.epoch();
    if (this.#row.epoch !== epoch) await this.resetBase({ epoch });
    return this.#row;
  }
}
