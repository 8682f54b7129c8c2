// The actions of a found file, which the finder lists in place of its results.
import { useLocation } from 'wouter';
import { fileCurl, fileLink } from '../api/file-links.ts';
import { filesHref } from '../location/app-location.ts';
import { screenHref } from '../location/screen-location.ts';
import { parentOf } from '../model/files/path.ts';
import { emptyForm, searchFields } from '../model/search/search-form.ts';
import { copyText } from '../parts/buttons/copy.tsx';
import type { Meaning } from '../parts/feedback/icon.tsx';
import type { Choice, ChosenFile } from './choice.ts';

/** null: of no file. */
export function useFileActions(file: ChosenFile | null): readonly Choice[] | null {
  const [, navigate] = useLocation();
  if (file === null) return null;
  const { workspaceId, path, line } = file;
  const folder = parentOf(path);
  const action = (id: string, icon: Meaning, text: string, run: () => void): Choice => ({
    id: `action ${id}`,
    group: 'Actions',
    icon,
    text,
    run,
  });
  const copy = (id: string, text: string, what: string): Choice =>
    action(`copy ${id}`, 'copy', `Copy ${id}`, () => void copyText(text, what));
  const search = { ...emptyForm, workspaceId, folder };
  return [
    action('open', 'file', line === null ? 'Open' : `Open at line ${line}`, () =>
      navigate(filesHref(workspaceId, path, 'file', { line })),
    ),
    action('history', 'history', 'Show history', () =>
      navigate(filesHref(workspaceId, path, 'file', { view: 'history' })),
    ),
    action('folder', 'folder', `Open folder ${folder}`, () =>
      navigate(filesHref(workspaceId, folder, 'dir')),
    ),
    action('search', 'search', `Search in ${folder}`, () =>
      navigate(screenHref('search', null, searchFields(search))),
    ),
    copy('path', path, 'the path'),
    copy('link', fileLink(workspaceId, path, 'file'), 'the link'),
    copy('as curl', fileCurl(workspaceId, path), 'the command'),
  ];
}
