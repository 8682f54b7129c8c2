// The indexed paths of a workspace as some large texts in the order of the paths: to look through a text takes a tenth of the time of as many
// rows. A block is read when a search needs it, again after one of its paths was added or removed, and all are released when no search of
// names has come for a while. Never a source of what a caller sees.
import { comparePaths } from '../core/paths/path.ts';
import type { ReadStatements } from '../store/database/statements.ts';
import { foldCase } from './fold.ts';
import { blockPaths, keptBlocksMs } from './limits.ts';

/** Between two paths of a block. No path contains it. */
export const pathSeparator = '\0';

/** The paths after `from`, up to `to`; null: to the end. */
interface Block {
  readonly from: string;
  readonly to: string | null;
  /** null: they are to be read. */
  readonly names: Names | null;
}

interface Names {
  readonly text: string;
  /** The same, position by position. */
  readonly folded: string;
}

export interface ReadBlock extends Names {
  readonly to: string | null;
}

const selectPaths = `SELECT group_concat(path, char(0)) AS text, max(path) AS last, count(*) AS paths FROM (
  SELECT path FROM files WHERE workspace = ? AND path > ? AND (? IS NULL OR path <= ?) ORDER BY path LIMIT ${blockPaths}
)`;

export class NameBlocks {
  readonly #index: ReadStatements;
  /** By the number of the workspace. */
  readonly #blocks = new Map<number, Block[]>();
  #release: NodeJS.Timeout | null = null;

  /** `index`: the connection that writes the index, so that each change is seen that `changed` reports. */
  constructor(index: ReadStatements) {
    this.#index = index;
  }

  /** The block with the paths that follow this one, and maybe some before it. */
  after(workspace: number, path: string): ReadBlock {
    this.#keep();
    let blocks = this.#blocks.get(workspace);
    if (blocks === undefined) {
      blocks = [{ from: '', to: null, names: null }];
      this.#blocks.set(workspace, blocks);
    }
    const at = blockAfter(blocks, path);
    const block = blocks[at] as Block;
    if (block.names !== null) return { ...block.names, to: block.to };
    const { names, to } = this.#read(workspace, block);
    const rest: readonly Block[] =
      to === null || to === block.to ? [] : [{ from: to, to: block.to, names: null }];
    blocks.splice(at, 1, { from: block.from, to, names }, ...rest);
    return { ...names, to };
  }

  /** The path was added to the index or removed. */
  changed(workspace: number, path: string): void {
    const blocks = this.#blocks.get(workspace);
    if (blocks === undefined) return;
    // Its block ends with it or after it.
    const at = blocks.findLastIndex(({ from }) => comparePaths(from, path) < 0);
    const block = blocks[at];
    if (block !== undefined) blocks[at] = { ...block, names: null };
  }

  close(): void {
    if (this.#release !== null) clearTimeout(this.#release);
    this.#release = null;
    this.#blocks.clear();
  }

  #read(workspace: number, { from, to }: Block): { readonly names: Names; readonly to: string | null } {
    const row = this.#index.get<{ text: string | null; last: string | null; paths: number }>(
      selectPaths,
      workspace,
      from,
      to,
      to,
    );
    const isWhole = row === undefined || row.paths < blockPaths;
    const text = row?.text ?? '';
    return { names: { text, folded: foldCase(text) }, to: isWhole ? to : row.last };
  }

  #keep(): void {
    if (this.#release !== null) this.#release.refresh();
    else this.#release = setTimeout(() => this.close(), keptBlocksMs).unref();
  }
}

/** The index of the first block that has paths after this one. */
function blockAfter(blocks: readonly Block[], path: string): number {
  let [low, high] = [0, blocks.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    const { to } = blocks[middle] as Block;
    if (to === null || comparePaths(to, path) > 0) high = middle;
    else low = middle + 1;
  }
  return low;
}
