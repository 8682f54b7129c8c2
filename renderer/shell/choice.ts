// One line of the finder.
import type { ShownLine } from '../model/search/search-rows.ts';
import type { TextRange } from '../model/text/text-parts.ts';
import type { Meaning } from '../parts/feedback/icon.tsx';

export interface Choice {
  readonly id: string;
  readonly group: 'Commands' | 'Files' | 'In contents' | 'Id' | 'Search' | 'Actions';
  readonly icon: Meaning;
  readonly text: string;
  /** Shown instead of `text`. */
  readonly path?: string;
  /** Found characters of the path. */
  readonly ranges?: readonly TextRange[];
  /** A found line, shown after `text`. */
  readonly found?: ShownLine;
  readonly side?: string;
  readonly run: () => void;
  /** Tab replaces the query with this path of a folder. */
  readonly completesTo?: string;
  /** The file that it opens, whose actions can be listed. */
  readonly file?: ChosenFile;
}

export interface ChosenFile {
  readonly workspaceId: string;
  readonly path: string;
  readonly line: number | null;
}
