// Which root the folder's knowledge is about: the one that was opened, and the one that was seen last. What was planned for one
// is never done in another that came in its place.
import type { FileSystem } from '../port/file-system.ts';
import type { PresentRoot, RootState } from '../port/folder.ts';
import { inspectRoot, isSameRoot } from '../root/root.ts';

export class OpenedRoot {
  readonly path: string;
  readonly #fs: FileSystem;
  /** null: none was there. Of another in its place nothing is looked at. */
  #opened: PresentRoot | null = null;
  #seen = '';

  constructor(fs: FileSystem, path: string) {
    this.#fs = fs;
    this.path = path;
  }

  /** What is there now is the one, if anything is. */
  open(): RootState {
    const state = this.look();
    if (state.kind === 'present') this.#opened = state;
    return state;
  }

  /** What is planned from here on is planned for what is there now. */
  look(): RootState {
    const state = inspectRoot(this.#fs, this.path);
    this.#seen = identityOf(state);
    return state;
  }

  /** Only looked at: is it there, and no other? */
  isOpened(): boolean {
    const root = inspectRoot(this.#fs, this.path);
    return root.kind === 'present' && this.#opened !== null && isSameRoot(this.#opened, root);
  }

  isOther(root: PresentRoot): boolean {
    return this.#opened !== null && !isSameRoot(this.#opened, root);
  }

  /** Only looked at: until the next `look` what is planned means the one that was seen last. */
  isPlanned(): boolean {
    return identityOf(inspectRoot(this.#fs, this.path)) === this.#seen;
  }

  /** Is it another one than at that look? What stands there now. */
  exchangedSince(before: PresentRoot): { readonly after: RootState; readonly exchanged: boolean } {
    const after = this.look();
    return { after, exchanged: this.#seen !== identityOf(before) };
  }
}

function identityOf(state: RootState): string {
  return state.kind === 'present' ? `${state.device} ${state.inode}` : state.kind;
}
