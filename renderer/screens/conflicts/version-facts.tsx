// The versions of a conflict as facts, for content without a line view: binary, large or no longer retained.
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useMemo } from 'react';
import { bytesOf } from '../../../sdk/index.ts';
import type { ConflictDetail, ConflictVersion } from '../../../server/contract/conflicts.ts';
import { useServices } from '../../api/services.ts';
import { size } from '../../model/format.ts';
import { versionAuthor } from '../../model/mirror/conflict-view.ts';
import { Identifier } from '../../parts/buttons/copy.tsx';
import { ImagePreview, isImageType } from '../../parts/feedback/image-preview.tsx';
import { Note } from '../../parts/feedback/note.tsx';
import { ReadingRegion } from '../../parts/feedback/reading-region.tsx';
import { Time } from '../../parts/feedback/time.tsx';

/** A larger file is not loaded for a preview. */
const previewBytesMax = 5_000_000;

export function VersionsAsFacts({
  detail,
  about,
}: {
  readonly detail: ConflictDetail;
  readonly about: string;
}): ReactElement {
  const { workspaceId, path, copyPath } = detail.conflict;
  return (
    <ReadingRegion name="Both versions" className="detail-body work-body">
      <Note>{about} Binary or large file: no line view.</Note>
      <div className="version-facts">
        <VersionFacts
          name="Local"
          workspaceId={workspaceId}
          path={copyPath}
          version={detail.folder}
          isCurrent
        />
        <VersionFacts
          name="Remote"
          workspaceId={workspaceId}
          path={path}
          version={detail.workspace}
          isCurrent
        />
        {detail.base === null ? null : (
          <VersionFacts
            name="Base"
            workspaceId={workspaceId}
            path={path}
            version={detail.base}
            isCurrent={false}
          />
        )}
      </div>
    </ReadingRegion>
  );
}

interface VersionFactsProps {
  readonly name: string;
  readonly workspaceId: string;
  readonly path: string;
  readonly version: ConflictVersion | null;
  /** It is the current content of the path. */
  readonly isCurrent: boolean;
}

function VersionFacts({ name, workspaceId, path, version, isCurrent }: VersionFactsProps): ReactElement {
  const { client } = useServices();
  const { data } = useQuery({
    queryKey: ['file', workspaceId, path],
    queryFn: async ({ signal }) => await client.readFile(workspaceId, path, { signal }),
    enabled: isCurrent && version !== null && version.size <= previewBytesMax,
  });
  // The path may have changed since the conflict was loaded: other content is not shown as this version.
  const file = data?.contentHash === version?.contentHash ? data : undefined;
  const bytes = useMemo(() => (file === undefined ? null : bytesOf(file)), [file]);
  return (
    <section className="card" aria-label={name}>
      <header>
        <h3>{name}</h3>
      </header>
      {version === null ? (
        <p className="card-body soft">No file: a folder, or nothing</p>
      ) : (
        <dl className="facts">
          <dt>Path</dt>
          <dd className="mono">{path}</dd>
          <dt>Changed by</dt>
          <dd>{versionAuthor(version)}</dd>
          <dt>Edited</dt>
          <dd>{version.editedAt === null ? 'Unknown' : <Time at={version.editedAt} as="ago" />}</dd>
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
