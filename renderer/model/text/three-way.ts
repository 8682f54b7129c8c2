// Two edits of one text, cut at the lines that all three have, so that they can be brought together. Pure.
import { alikeIn, type Piece, type Run, type Texts } from './conflict-rows.ts';

/** `folder` and `workspace` of the texts are the two edits of `base`. Changes that touch each other clash. */
export function threeWayPieces({ base, folder, workspace }: Texts): readonly Piece[] {
  const inFolder = partners(alikeIn(base, folder), base.length);
  const inWorkspace = partners(alikeIn(base, workspace), base.length);
  const pieces: Piece[] = [];
  let at = { base: 0, folder: 0, workspace: 0 };
  const cutTo = (to: typeof at): void => {
    const piece = {
      base: { start: at.base, count: to.base - at.base },
      folder: { start: at.folder, count: to.folder - at.folder },
      workspace: { start: at.workspace, count: to.workspace - at.workspace },
    };
    at = to;
    if (piece.base.count + piece.folder.count + piece.workspace.count === 0) return;
    pieces.push({ kind: kindOf(piece, { base, folder, workspace }), ...piece });
  };
  for (let line = 0; line < base.length; line += 1) {
    const folderLine = inFolder[line] ?? -1;
    const workspaceLine = inWorkspace[line] ?? -1;
    if (folderLine < 0 || workspaceLine < 0) continue;
    cutTo({ base: line, folder: folderLine, workspace: workspaceLine });
    extendSame(pieces, at);
    at = { base: line + 1, folder: folderLine + 1, workspace: workspaceLine + 1 };
  }
  cutTo({ base: base.length, folder: folder.length, workspace: workspace.length });
  return pieces;
}

/** The line of the other text for each line of the base; absent: it has none. */
function partners(runs: readonly Run[], lines: number): readonly (number | undefined)[] {
  const partner = new Array<number | undefined>(lines);
  for (const run of runs) {
    for (let line = 0; line < run.count; line += 1) partner[run.folder + line] = run.workspace + line;
  }
  return partner;
}

/** One more line that all three have. */
function extendSame(
  pieces: Piece[],
  at: { readonly base: number; readonly folder: number; readonly workspace: number },
): void {
  const last = pieces.at(-1);
  if (last?.kind !== 'same') {
    pieces.push({
      kind: 'same',
      base: { start: at.base, count: 1 },
      folder: { start: at.folder, count: 1 },
      workspace: { start: at.workspace, count: 1 },
    });
    return;
  }
  last.base.count += 1;
  last.folder.count += 1;
  last.workspace.count += 1;
}

function kindOf(piece: Omit<Piece, 'kind'>, { base, folder, workspace }: Texts): Piece['kind'] {
  const textOf = (lines: readonly string[], range: Piece['base']): string =>
    lines.slice(range.start, range.start + range.count).join('');
  const before = textOf(base, piece.base);
  const mine = textOf(folder, piece.folder);
  const theirs = textOf(workspace, piece.workspace);
  if (mine === theirs) return mine === before ? 'same' : 'both';
  if (mine === before) return 'workspace';
  return theirs === before ? 'folder' : 'clash';
}
