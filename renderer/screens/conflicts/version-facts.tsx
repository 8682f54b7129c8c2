// The versions of a conflict as facts, for content without a line view: binary, large or no longer retained.
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useMemo } from 'react';
import { bytesOf } from '../../../sdk/index.ts';
import type { ConflictDetail, ConflictVersion } from '../../../server/contract/conflicts.ts';
import type { FileRecord } from '../../../server/contract/files.ts';
import { useServices } from '../../api/services.ts';
import { size } from '../../model/format.ts';
import { versionAuthor } from '../../model/mirror/conflict-view.ts';
import { Identifier } from '../../parts/buttons/copy.tsx';
import { ImagePreview, isImageType } from '../../parts/feedback/image-preview.tsx';
import { Note } from '../../parts/feedback/note.tsx';
import { ReadingRegion } from '../../parts/feedback/reading-region.tsx';
import { Time } from '../../parts/feedback/time.tsx';
import { ImageComparison } from '../../parts/viewers/image-comparison.tsx';

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
  const local = useVersionFile(workspaceId, copyPath, detail.folder);
  const remote = useVersionFile(workspaceId, path, detail.workspace);
  const areImages = isImage(local) && isImage(remote);
  return (
    <ReadingRegion name="Both versions" className="detail-body work-body">
      <Note>{areImages ? about : `${about} Binary or large file: no line view.`}</Note>
      {areImages ? (
        <ImageComparison left={{ title: 'Local', file: local }} right={{ title: 'Remote', file: remote }} />
      ) : null}
      <div className="version-facts">
        <VersionFacts
          name="Local"
          path={copyPath}
          version={detail.folder}
          file={local}
          showsImage={!areImages}
        />
        <VersionFacts
          name="Remote"
          path={path}
          version={detail.workspace}
          file={remote}
          showsImage={!areImages}
        />
        {detail.base === null ? null : (
          <VersionFacts name="Base" path={path} version={detail.base} file={undefined} showsImage={false} />
        )}
      </div>
    </ReadingRegion>
  );
}

function isImage(file: FileRecord | undefined): file is FileRecord {
  return file !== undefined && file.encoding === 'base64' && isImageType(file.contentType);
}

/** The content of a current version; undefined: not loaded, too large, or the path has other content now. */
function useVersionFile(
  workspaceId: string,
  path: string,
  version: ConflictVersion | null,
): FileRecord | undefined {
  const { client } = useServices();
  const { data } = useQuery({
    queryKey: ['file', workspaceId, path],
    queryFn: async ({ signal }) => await client.readFile(workspaceId, path, { signal }),
    enabled: version !== null && version.size <= previewBytesMax,
  });
  return data?.contentHash === version?.contentHash ? data : undefined;
}

interface VersionFactsProps {
  readonly name: string;
  readonly path: string;
  readonly version: ConflictVersion | null;
  readonly file: FileRecord | undefined;
  readonly showsImage: boolean;
}

function VersionFacts({ name, path, version, file, showsImage }: VersionFactsProps): ReactElement {
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
      {showsImage && file !== undefined && bytes !== null && isImageType(file.contentType) ? (
        <div className="version-image">
          <ImagePreview bytes={bytes} file={file} />
        </div>
      ) : null}
    </section>
  );
}
