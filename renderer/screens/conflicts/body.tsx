// What a conflict's versions say: lines level with each other, the places to decide, or the result; facts where they are no text.
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useMemo, useState } from 'react';
import { bytesOf } from '../../../sdk/index.ts';
import type { ConflictDetail, ConflictVersion } from '../../../server/contract/conflicts.ts';
import { useServices } from '../../api/services.ts';
import { size } from '../../model/format.ts';
import { versionAuthor } from '../../model/mirror/conflict-view.ts';
import {
  type Comparison,
  type Decision,
  linesOf,
  type Merged,
  type Piece,
  type Side,
} from '../../model/text/conflict-rows.ts';
import { Identifier } from '../../parts/buttons/copy.tsx';
import { LineGrid, PlainLines } from '../../parts/diff/line-grid.tsx';
import { MergeSection } from '../../parts/diff/merge-section.tsx';
import { Icon } from '../../parts/feedback/icon.tsx';
import { ImagePreview, isImageType } from '../../parts/feedback/image-preview.tsx';
import { ReadingRegion } from '../../parts/feedback/reading-region.tsx';
import { Time } from '../../parts/feedback/time.tsx';
import type { ConflictViewName } from './comparison.ts';

/** A larger file is not read to be looked at. */
const previewBytesMax = 5_000_000;

const sideNames: Readonly<Record<Side, string>> = { folder: 'Local', base: 'Base', workspace: 'Remote' };

export function ConflictBody({
  detail,
  about,
  comparison,
  view,
  merged,
  decisionOf,
  onDecide,
}: {
  readonly detail: ConflictDetail;
  readonly about: string;
  readonly comparison: Comparison | null;
  readonly view: ConflictViewName;
  /** null: there is no merge. */
  readonly merged: Merged | null;
  readonly decisionOf: (piece: Piece) => Decision | undefined;
  readonly onDecide: (piece: Piece, decision: Decision) => void;
}): ReactElement {
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  if (comparison === null) return <NoTexts detail={detail} about={about} />;
  const sides: readonly Side[] =
    view === 'three' ? ['folder', 'base', 'workspace'] : view === 'base' ? ['base'] : ['folder', 'workspace'];
  return (
    <ReadingRegion name="Both versions" className="detail-body work-body">
      {view === 'result' && merged !== null ? (
        <PlainLines
          title="Result"
          lines={
            merged.text === null
              ? ['Some places are not decided yet: choose below, and the whole text stands here.']
              : linesOf(merged.text)
          }
        />
      ) : (
        <LineGrid
          comparison={comparison}
          sides={sides}
          heads={{
            folder: <SideHead icon="folder" name="Local" where="folder" version={detail.folder} />,
            base: <SideHead icon="waiting" name="Base" where="both had it" version={detail.base} />,
            workspace: (
              <SideHead icon="workspace" name="Remote" where="workspace" version={detail.workspace} />
            ),
          }}
          unfolded={unfolded}
          onUnfold={(piece) => setUnfolded(new Set(unfolded).add(piece))}
        />
      )}
      {merged === null ? (
        <p className="check-note">
          <Icon of="info" small />
          <span>{about} They have no base in common, so there is nothing to merge from.</span>
        </p>
      ) : (
        <MergeSection
          merged={merged}
          comparison={comparison}
          names={sideNames}
          decisionOf={decisionOf}
          onDecide={onDecide}
        />
      )}
    </ReadingRegion>
  );
}

function SideHead({
  icon,
  name,
  where,
  version,
}: {
  readonly icon: 'folder' | 'workspace' | 'waiting';
  readonly name: string;
  readonly where: string;
  readonly version: ConflictVersion | null;
}): ReactElement {
  return (
    <>
      <span className="row">
        <Icon of={icon} small />
        <b>{name}</b> <span className="faint">{where}</span>
      </span>
      <span className="second faint ellipsis-cell">
        {versionAuthor(version)}
        {version?.editedAt == null ? null : (
          <>
            , <Time at={version.editedAt} as="clock" />
          </>
        )}
        {version?.revision == null ? null : ` · ${version.revision}`}
      </span>
    </>
  );
}

/** Bytes, too large, a folder, or let go by retention: facts instead of lines. */
function NoTexts({
  detail,
  about,
}: {
  readonly detail: ConflictDetail;
  readonly about: string;
}): ReactElement {
  const { conflict } = detail;
  return (
    <ReadingRegion name="Both versions" className="detail-body work-body">
      <p className="check-note">
        <Icon of="info" small />
        <span>
          {about} These versions cannot be shown line by line: they are no texts, too large, too different, or
          not kept.
        </span>
      </p>
      <div className="version-facts">
        <VersionFacts
          name="Local"
          workspaceId={conflict.workspaceId}
          path={conflict.copyPath}
          version={detail.folder}
          stands
        />
        <VersionFacts
          name="Remote"
          workspaceId={conflict.workspaceId}
          path={conflict.path}
          version={detail.workspace}
          stands
        />
        {detail.base === null ? null : (
          <VersionFacts
            name="Base"
            workspaceId={conflict.workspaceId}
            path={conflict.path}
            version={detail.base}
            stands={false}
          />
        )}
      </div>
    </ReadingRegion>
  );
}

function VersionFacts({
  name,
  workspaceId,
  path,
  version,
  stands,
}: {
  readonly name: string;
  readonly workspaceId: string;
  readonly path: string;
  readonly version: ConflictVersion | null;
  /** It stands at the path now, and can be read there. */
  readonly stands: boolean;
}): ReactElement {
  const { client } = useServices();
  const hash = version?.contentHash;
  const { data } = useQuery({
    queryKey: ['file', workspaceId, path],
    queryFn: async ({ signal }) => await client.readFile(workspaceId, path, { signal }),
    enabled: stands && version !== null && version.size <= previewBytesMax,
  });
  // Read a moment apart: what changed meanwhile is not shown as this version.
  const file = data?.contentHash === hash ? data : undefined;
  const bytes = useMemo(() => (file === undefined ? null : bytesOf(file)), [file]);
  return (
    <section className="card" aria-label={name}>
      <header>
        <h3>{name}</h3>
      </header>
      {version === null ? (
        <p className="card-body soft">No file of its own here: a folder, or nothing.</p>
      ) : (
        <dl className="facts">
          <dt>Path</dt>
          <dd className="mono">{path}</dd>
          <dt>By</dt>
          <dd>{versionAuthor(version)}</dd>
          <dt>Edited</dt>
          <dd>
            {version.editedAt === null ? 'not known any more' : <Time at={version.editedAt} as="ago" />}
          </dd>
          <dt>Size</dt>
          <dd>{size(version.size)}</dd>
          {file === undefined ? null : (
            <>
              <dt>Type</dt>
              <dd className="mono">{file.contentType}</dd>
            </>
          )}
          <dt>SHA-256</dt>
          <dd>
            <Identifier text={version.contentHash} what="the hash" />
          </dd>
        </dl>
      )}
      {file !== undefined && bytes !== null && isImageType(file.contentType) ? (
        <div className="version-image">
          <ImagePreview bytes={bytes} file={file} />
        </div>
      ) : null}
    </section>
  );
}
