// Mirrors: their rows, base, intents, conflicts and proofs.
import { yieldToEventLoop } from '../../platform/event-loop.ts';
import type { MirrorStore } from '../port/store.ts';
import { countBase, loadBasePage } from '../tables/mirrors/base.ts';
import { lastProof, listConflicts, listMirrors, openIntents } from '../tables/mirrors/mirrors.ts';
import type { StoreDeps } from '../writer/store-parts.ts';
import { readers, senders } from './port-methods.ts';

/** Rows of a mirror's base that are read at once. */
const basePageRows = 2_000;

export function mirrorStore(deps: StoreDeps): MirrorStore {
  return {
    ...senders(deps, {
      insert: 'insert_mirror',
      update: 'update_mirror',
      remove: 'remove_mirror',
      saveBase: 'save_base',
      clearBase: 'clear_base',
      saveProof: 'save_proof',
      beginIntents: 'begin_intents',
      endIntents: 'end_intents',
      addConflict: 'add_conflict',
      removeConflict: 'remove_conflict',
    }),
    async loadBase(mirrorId) {
      // Only the mirror changes its base, and it waits here: the pages are one consistent base.
      const rows = [];
      let after = '';
      for (;;) {
        const page = await deps.read('mirrors.loadBase', (statements) =>
          loadBasePage(statements, mirrorId, after, basePageRows),
        );
        rows.push(...page);
        const last = page.at(-1);
        if (last === undefined || page.length < basePageRows) return rows;
        after = last.path;
        await yieldToEventLoop();
      }
    },
    ...readers(deps, 'mirrors', {
      list: listMirrors,
      listBase: loadBasePage,
      countBase,
      lastProof,
      openIntents,
      listConflicts,
    }),
  };
}
