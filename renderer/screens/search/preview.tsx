// The found file beside the results: its content at the line, with the matches highlighted.
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useMemo } from 'react';
import { useDisabledReason, useServices } from '../../api/services.ts';
import { useFile } from '../../api/use-file.ts';
import { type FoundFile, marksOf } from '../../model/search/search-rows.ts';
import { Button } from '../../parts/buttons/button.tsx';
import { CopyButton } from '../../parts/buttons/copy.tsx';
import { FileContent } from '../../parts/feedback/file-content.tsx';
import { Icon } from '../../parts/feedback/icon.tsx';
import { PathText } from '../../parts/feedback/path-text.tsx';
import { Time } from '../../parts/feedback/time.tsx';
import { UnloadedFile } from '../../parts/feedback/unloaded-file.tsx';
import { DetailHead } from '../../parts/tables/detail-head.tsx';
import { LoadingRows } from '../../parts/tables/work-list.tsx';

export function FoundFilePane({
  file,
  hits,
  line,
  onStep,
  onOpen,
  onClose,
}: {
  readonly file: FoundFile;
  /** Numbers of the matching lines. */
  readonly hits: readonly number[];
  /** The line that is shown; null: the file was found by its name. */
  readonly line: number | null;
  readonly onStep: (by: 1 | -1) => void;
  readonly onOpen: () => void;
  readonly onClose: () => void;
}): ReactElement {
  const disabledReason = useDisabledReason();
  const marks = useMemo(() => marksOf(file), [file]);
  const sizeBytes = useSize(file);
  const query = useFile({ workspaceId: file.workspaceId, path: file.path, sizeBytes });
  const record = query.file;
  return (
    <>
      <DetailHead
        before={<Icon of="file" />}
        title={<PathText path={file.path} />}
        side={<CopyButton text={file.path} what="the path" />}
        facts={
          <>
            <span className="mono">{record?.revision ?? file.revision}</span>
            {record?.lastEditedAt === undefined ? null : (
              <span>
                Changed <Time at={record.lastEditedAt} as="ago" />
              </span>
            )}
            {line === null ? null : <HitSteps hits={hits} line={line} onStep={onStep} />}
          </>
        }
        staysOpen
        onClose={onClose}
      />
      <div className="detail-body">
        {record !== undefined ? (
          <FileContent workspaceId={file.workspaceId} file={record} shown={{ line, marks }} />
        ) : query.error !== null || query.unloadedBytes !== null ? (
          <UnloadedFile path={file.path} query={query} />
        ) : (
          <LoadingRows rowPx={32} />
        )}
      </div>
      <div className="detail-foot">
        <Button kind="primary" icon="file" shortcut="Enter" disabledReason={disabledReason} onClick={onOpen}>
          {line === null ? 'Open in Files' : `Open at line ${line}`}
        </Button>
      </div>
    </>
  );
}

function HitSteps({
  hits,
  line,
  onStep,
}: {
  readonly hits: readonly number[];
  readonly line: number;
  readonly onStep: (by: 1 | -1) => void;
}): ReactElement {
  const index = hits.indexOf(line);
  return (
    <span className="end row hit-steps">
      Line {index + 1} of {hits.length}
      <Button
        kind="ghost"
        icon="up"
        label="Previous line"
        shortcut="P"
        disabledReason={index <= 0 ? 'This is the first line.' : null}
        onClick={() => onStep(-1)}
      />
      <Button
        kind="ghost"
        icon="open"
        label="Next line"
        shortcut="N"
        disabledReason={index === hits.length - 1 ? 'This is the last line.' : null}
        onClick={() => onStep(1)}
      />
    </span>
  );
}

/** A file that is found by its name can be of any size. null: not known yet. */
function useSize({ workspaceId, path, matches }: FoundFile): number | null {
  const { client } = useServices();
  const isKnown = matches.length > 0;
  const { data, isError } = useQuery({
    queryKey: ['file', workspaceId, path, 'size'],
    queryFn: async ({ signal }) => (await client.files.stat(workspaceId, path, { signal })).size,
    enabled: !isKnown,
  });
  // A failure is shown by the request for the content.
  return isKnown || isError ? 0 : (data ?? null);
}
