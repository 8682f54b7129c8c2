// A path that is truncated in its folders before its file name; the tooltip has all of it.
import type { ReactElement } from 'react';
import { nameOf } from '../../model/files/path.ts';

export function PathText({ path }: { readonly path: string }): ReactElement {
  const name = nameOf(path);
  return (
    <span className="path" title={path}>
      <span className="path-folder">{path.slice(0, path.length - name.length)}</span>
      <span className="path-name">{name}</span>
    </span>
  );
}
