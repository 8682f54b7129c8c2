// The details of a file: its record without the content, and its state in each mirror.
import type { ReactElement } from 'react';
import type { PathState } from '../../../sdk/index.ts';
import { bytesOf } from '../../../sdk/index.ts';
import type { FileRecord } from '../../../server/contract/files.ts';
import type { Mirror } from '../../../server/contract/workspaces.ts';
import { useProviders } from '../../api/outbound.ts';
import { fullTime, plural, size } from '../../model/format.ts';
import { inMirrorStatus } from '../../model/mirror/path-state-view.ts';
import { Identifier } from '../../parts/buttons/copy.tsx';
import { Fact } from '../../parts/feedback/fact.tsx';
import { ReadingRegion } from '../../parts/feedback/reading-region.tsx';
import { Status } from '../../parts/feedback/status.tsx';

export function DetailsView({
  workspaceId,
  file,
  state,
  mirrors,
}: {
  readonly workspaceId: string;
  readonly file: FileRecord;
  readonly state: PathState | undefined;
  readonly mirrors: readonly Mirror[];
}): ReactElement {
  const { semantics } = file;
  const bytes = bytesOf(file).length;
  // The first part of a path is a provider only where one of this name is registered.
  const providers = useProviders(workspaceId).data?.providers ?? [];
  const providerName = providers.find(({ provider }) => file.path.startsWith(`/${provider}/`))?.provider;
  const lines = file.encoding === 'base64' ? null : lineCount(file.content);
  return (
    <ReadingRegion name="Details">
      <dl className="facts">
        <Fact name="Path">
          <Identifier text={file.path} what="the path" />
        </Fact>
        <Fact name="Revision">
          <Identifier text={file.revision} what="the revision" />
        </Fact>
        <Fact name="SHA-256">
          <Identifier
            text={file.contentHash}
            what="the hash"
            shown={`${file.contentHash.slice(0, 16)}…${file.contentHash.slice(-8)}`}
          />
        </Fact>
        <Fact name="Size">
          {bytes < 1_000 ? '' : `${size(bytes)}, `}
          {plural(bytes, 'byte')}
          {lines === null ? '' : ` · ${plural(lines, 'line')}`}
        </Fact>
        <Fact name="Type">
          <span className="mono">{file.contentType}</span>
          {file.encoding === 'base64' ? <span className="tag">binary</span> : null}
        </Fact>
        <Fact name="Edited">
          {file.lastEditedAt === undefined ? 'Unknown' : fullTime(Date.parse(file.lastEditedAt))}
        </Fact>
        {providerName === undefined ? null : <Fact name="Provider">{providerName}</Fact>}
        {file.providerObjectId === undefined ? null : (
          <Fact name="Provider object id">
            <Identifier text={file.providerObjectId} what="the provider object id" />
          </Fact>
        )}
        {state?.mirrors.map((each) => (
          <Fact key={each.mirrorId} name="Mirror">
            <InMirror state={each} mirrors={mirrors} />
          </Fact>
        ))}
        <Fact name="Properties">
          <Tags
            values={Object.entries(semantics.properties ?? {}).map(([key, value]) => `${key}=${value}`)}
          />
        </Fact>
        <Fact name="Relations">
          <Tags values={semantics.relations ?? []} />
        </Fact>
        <Fact name="Permissions">
          <Tags values={semantics.permissions ?? []} />
        </Fact>
        <Fact name="Comments">
          <Tags values={semantics.comments ?? []} />
        </Fact>
      </dl>
    </ReadingRegion>
  );
}

/** The state of the file in one mirror, and its problem. */
function InMirror({
  state,
  mirrors,
}: {
  readonly state: PathState['mirrors'][number];
  readonly mirrors: readonly Mirror[];
}): ReactElement {
  const { mirrorId, why, next } = state;
  const dir = mirrors.find((each) => each.mirrorId === mirrorId)?.dir ?? mirrorId;
  return (
    <>
      <Status {...inMirrorStatus(state, mirrors)} />
      <Identifier text={dir} what="the folder" />
      {state.state === 'same' ? null : (
        <span className="soft">
          {why} {next}
        </span>
      )}
    </>
  );
}

function Tags({ values }: { readonly values: readonly string[] }): ReactElement {
  if (values.length === 0) return <None />;
  return (
    <>
      {values.map((value) => (
        <span key={value} className="tag mono">
          {value}
        </span>
      ))}
    </>
  );
}

function None(): ReactElement {
  return <span className="faint">none</span>;
}

function lineCount(content: string): number {
  if (content === '') return 0;
  return content.split('\n').length - (content.endsWith('\n') ? 1 : 0);
}
