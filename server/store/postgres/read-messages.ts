// Messages between the main thread and a thread that reads (read-thread.ts).
import type { Snapshot } from '../port/store.ts';

export type ToReader =
  | {
      readonly kind: 'read';
      readonly id: number;
      readonly subject: string;
      readonly name: string;
      readonly input: readonly unknown[];
    }
  /** Every later read sees one state, until the thread ends. */
  | { readonly kind: 'hold'; readonly id: number }
  /** Begins pages of a snapshot; `pages` names them in `next`. */
  | {
      readonly kind: 'pages';
      readonly id: number;
      readonly pages: number;
      readonly input: Parameters<Snapshot['files']>;
    }
  /** The next page; null at the end. */
  | { readonly kind: 'next'; readonly id: number; readonly pages: number };

export type FromReader =
  | { readonly id: number; readonly ok: true; readonly result: unknown }
  | {
      readonly id: number;
      readonly ok: false;
      /** The database could not serve; a retry may succeed. */
      readonly isPassing: boolean;
      readonly name: string;
      readonly message: string;
      readonly stack: string;
      /** Of a content that is corrupted. */
      readonly hash: string | null;
    };
