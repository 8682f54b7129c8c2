// Notices that a database was set back or begins a new epoch. After a loss of events one process begins it; every process that notices
// has an end then: what it has in memory is of another life of the database, so it starts again.
import type pg from 'pg';
import type { StoreLogger } from '../database/sqlite.ts';
import type { DatabaseLife } from './database-life.ts';
import { beginEpochAfterLoss } from './hub-epoch.ts';

export interface EpochWatchDeps {
  readonly url: string;
  readonly life: DatabaseLife;
  readonly logger: StoreLogger;
  readonly nowMs: () => number;
}

export class EpochWatch {
  readonly #deps: EpochWatchDeps;
  readonly #ended = Promise.withResolvers<void>();

  constructor(deps: EpochWatchDeps) {
    this.#deps = deps;
  }

  /** Resolves when this process has to start again. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  saw(event: number): void {
    this.#deps.life.saw(event);
  }

  /** true: the epoch of this process has ended. Rejects while the database does not answer. */
  async look(client: pg.Client): Promise<boolean> {
    const { life } = this.#deps;
    const compared = await life.compare(client);
    if (compared === 'same') return false;
    if (compared === 'events are lost') await this.#beginEpoch();
    this.#ended.resolve();
    return true;
  }

  async #beginEpoch(): Promise<void> {
    const { url, life, logger, nowMs } = this.#deps;
    const lost = await beginEpochAfterLoss(url, {
      epoch: life.known.epoch,
      seen: life.numbers,
      atMs: nowMs(),
      random: Math.random(),
    });
    if (lost !== null)
      logger.error(
        { lastEvent: lost.lastEvent, seenEvent: lost.seenEvent },
        'the database lacks events that were acknowledged: a new epoch was begun, and desktops send what is missing',
      );
  }
}
