// JSON, indented and highlighted; a file that is not JSON is shown as text, with the reason.
import { type ReactElement, useMemo } from 'react';
import { formatJson } from '../../model/viewers/json-text.ts';
import { TextView } from './text-view.tsx';

export function JsonView({ path, text }: { readonly path: string; readonly text: string }): ReactElement {
  const formatted = useMemo(() => formatJson(text), [text]);
  return (
    <>
      {formatted.ok ? null : (
        <p className="note-line" role="status">
          Not valid JSON: {formatted.reason}
        </p>
      )}
      <TextView path={path} text={formatted.ok ? formatted.text : text} language="json" />
    </>
  );
}
