import { describe, expect, it } from 'vitest';
import { createMetrics, type MirrorCounts } from '../../../server/platform/observe/metrics.ts';

const figures: MirrorCounts = {
  state: 'idle',
  files: 3,
  pendingLocal: 1,
  pendingRemote: 2,
  conflicts: 4,
  problems: 5,
};

describe('the metrics', () => {
  it('count requests by route and status, commits, batches, slow queries and sockets', async () => {
    const metrics = createMetrics();
    metrics.requestFinished('GET', '/v1/workspaces/:workspaceId/fs/file', 200, 0.004);
    metrics.requestFinished('GET', '/v1/workspaces/:workspaceId/fs/file', 200, 0.004);
    metrics.storeCommitted(7, 0.002);
    metrics.storeCommitFailed();
    metrics.slowQuery('list_tree');
    metrics.socketsOpen(3);
    const { contentType, text } = await metrics.render();
    expect(contentType).toMatch(/^text\/plain; version=0\.0\.4/);
    const lines = text.split('\n');
    expect(lines).toEqual(
      expect.arrayContaining([
        'mooring_http_request_duration_seconds_count{method="GET",route="/v1/workspaces/:workspaceId/fs/file",status="200"} 2',
        'mooring_store_commit_duration_seconds_count 1',
        'mooring_store_commit_commands_sum 7',
        'mooring_store_commit_failures_total 1',
        'mooring_store_slow_queries_total{query="list_tree"} 1',
        'mooring_ws_clients 3',
      ]),
    );
    expect(text).toMatch(/^process_resident_memory_bytes [1-9]/m);
  });

  it('show mirrors and store as they are when asked, and forget a mirror that is gone', async () => {
    const metrics = createMetrics();
    let mirrors = new Map([['mir_a', figures]]);
    metrics.mirrorsFrom(() => Promise.resolve(mirrors));
    metrics.storeCountsFrom(() => Promise.resolve({ files: 12 }));
    const first = (await metrics.render()).text;
    expect(first).toContain('mooring_mirror_state{mirror="mir_a",state="idle"} 1');
    expect(first).toContain('mooring_mirror_state{mirror="mir_a",state="halted"} 0');
    expect(first).toContain('mooring_mirror_pending_remote{mirror="mir_a"} 2');
    expect(first).toContain('mooring_store_figure{figure="files"} 12');
    mirrors = new Map();
    expect((await metrics.render()).text).not.toContain('mir_a');
  });

  it('of two agents in one process are apart', async () => {
    const [one, other] = [createMetrics(), createMetrics()];
    one.socketsOpen(9);
    expect((await other.render()).text).toContain('mooring_ws_clients 0');
  });

  it('fail as a whole when a source fails', async () => {
    const metrics = createMetrics();
    metrics.storeCountsFrom(() => Promise.reject(new Error('busy')));
    await expect(metrics.render()).rejects.toThrow('busy');
  });
});
