// The part of the port about mirrors: their rows, what folder and workspace agreed on, intents, conflicts, proofs.

import { nextTurn } from '../database/next-turn.ts';
import type { MirrorStore } from '../port/store.ts';
import { countBase, loadBasePage } from '../tables/mirrors/base.ts';
import { lastProof, listConflicts, listMirrors, openIntents } from '../tables/mirrors/mirrors.ts';
import type { StoreParts } from '../writer/store-parts.ts';

/** Rows of a mirror's base that are read at once. */
const basePageRows = 2_000;

export function mirrorStore({ read, send }: StoreParts): MirrorStore {
  return {
    insert: async (row) => void (await send('insert_mirror', { row })),
    list: () => read('mirrors.list', listMirrors),
    update: async (mirrorId, patch) => void (await send('update_mirror', { mirrorId, patch })),
    remove: async (mirrorId) => void (await send('remove_mirror', { mirrorId })),
    async loadBase(mirrorId) {
      // The mirror is the only one that changes its base, and it waits here: pages of it are one base.
      const rows = [];
      let after = '';
      for (;;) {
        const page = await read('mirrors.loadBase', (statements) =>
          loadBasePage(statements, mirrorId, after, basePageRows),
        );
        rows.push(...page);
        const last = page.at(-1);
        if (last === undefined || page.length < basePageRows) return rows;
        after = last.path;
        await nextTurn();
      }
    },
    listBase: (mirrorId, afterPath, limit) =>
      read('mirrors.listBase', (statements) => loadBasePage(statements, mirrorId, afterPath, limit)),
    countBase: (mirrorId) => read('mirrors.countBase', (statements) => countBase(statements, mirrorId)),
    saveBase: async (mirrorId, upserts, removals) =>
      void (await send('save_base', { mirrorId, upserts, removals })),
    keepProof: async (mirrorId, row) => void (await send('keep_proof', { mirrorId, row })),
    lastProof: (mirrorId) => read('mirrors.lastProof', (statements) => lastProof(statements, mirrorId)),
    clearBase: async (mirrorId) => void (await send('clear_base', { mirrorId })),
    beginIntents: (mirrorId, rows) => send('begin_intents', { mirrorId, rows }),
    endIntents: async (mirrorId, ids) => void (await send('end_intents', { mirrorId, ids })),
    openIntents: (mirrorId) => read('mirrors.openIntents', (statements) => openIntents(statements, mirrorId)),
    addConflict: async (mirrorId, row) => void (await send('add_conflict', { mirrorId, row })),
    removeConflict: async (mirrorId, conflictId) =>
      void (await send('remove_conflict', { mirrorId, conflictId })),
    listConflicts: (mirrorId) =>
      read('mirrors.listConflicts', (statements) => listConflicts(statements, mirrorId)),
  };
}
