// The row of a remote: what the loop knows is what the store has.
import type { RemoteRow, RemoteStore } from '../../store/port/store.ts';

export class StoredRow {
  readonly #remotes: Pick<RemoteStore, 'update'>;
  #row: RemoteRow;

  constructor(remotes: Pick<RemoteStore, 'update'>, row: RemoteRow) {
    this.#remotes = remotes;
    this.#row = row;
  }

  get value(): RemoteRow {
    return this.#row;
  }

  /** true: nothing is synced until a person has acted. */
  get isHeld(): boolean {
    return this.#row.paused || this.#row.haltedCause !== null;
  }

  /** Known at once, so that the loop obeys before the store has it. */
  async update(patch: Partial<RemoteRow>): Promise<void> {
    this.#row = { ...this.#row, ...patch };
    await this.#remotes.update({ remoteId: this.#row.remoteId, patch });
  }

  /** Known once it is stored: what a person has seen is there after any end of the agent. */
  async halt(haltedCause: string): Promise<void> {
    await this.#remotes.update({ remoteId: this.#row.remoteId, patch: { haltedCause } });
    this.#row = { ...this.#row, haltedCause };
  }
}
