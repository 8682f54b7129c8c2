// W/mirrors/{id}/plan, W/explain and W/mirrors/path-states: the plan of a mirror, and the sync state of one path and of many. Owner or UI
// token only; read only.
import { Explanation, MirrorPlan } from '../../../../contract/explain.ts';
import { FileQueryParameters, MirrorParams } from '../../../../contract/parameters.ts';
import { PathStates, PathStatesBody } from '../../../../contract/path-states.ts';
import { type Explained, haltText, mostSevere, workspacePath } from '../../../../mirror/manager/port.ts';
import { isoTime } from '../../../../platform/json/json-text.ts';
import { normalizeReadPath } from '../../../../workspaces/model.ts';
import type { HttpDependencies } from '../../../base/dependencies.ts';
import { explainedRevisions, pathStatesBodyBytesMax, plannedStepsMax } from '../../../base/limits.ts';
import { commandRoute, route } from '../../../base/route-options.ts';
import { type App, jsonAnswer, sendJson } from '../../../base/routing.ts';
import { wireRevision } from '../../../wire/records.ts';
import { requiredPath } from '../fs/file-request.ts';
import { mirrorNotFound } from './mirrors.ts';

export function registerExplain(app: App, dependencies: HttpDependencies): void {
  registerPlan(app, dependencies);
  registerPath(app, dependencies);
}

function registerPlan(app: App, { mirrors }: HttpDependencies): void {
  app.get(
    '/v1/workspaces/:workspaceId/mirrors/:mirrorId/plan',
    route('owner-workspace', {
      operationId: 'planMirror',
      tag: 'Mirrors',
      summary: 'Preview the next sync of a mirror',
      points: [
        'Scans folder and workspace and plans a cycle, also for a paused or halted mirror.',
        'Changes nothing.',
      ],
      params: MirrorParams,
      answers: { 200: jsonAnswer(MirrorPlan, 'The planned actions, each with its rule.') },
      errors: ['not_found'],
    }),
    async (request, reply) => {
      const { workspaceId, mirrorId } = request.params;
      const planned = await mirrors.plan(workspaceId, mirrorId);
      if (planned === null) throw mirrorNotFound();
      const { row, run } = planned;
      const inWorkspace = (path: string) => workspacePath(row.rootPath, path);
      return sendJson(reply, MirrorPlan, 200, {
        mirrorId,
        dir: row.dir,
        mode: row.mode,
        halt: run.halt === null ? null : { reason: run.halt, ...haltText(run.halt, row.dir, run.held) },
        steps: run.steps.slice(0, plannedStepsMax).map(({ side, action, path, from, rule, why }) => ({
          side,
          action,
          path: inWorkspace(path),
          ...(from === null ? {} : { from: inWorkspace(from) }),
          rule,
          why,
        })),
        total: run.steps.length,
        unsettled: run.unsettled.slice(0, plannedStepsMax).map(inWorkspace),
      });
    },
  );
}

function registerPath(app: App, { mirrors, workspaces }: HttpDependencies): void {
  app.get(
    '/v1/workspaces/:workspaceId/explain',
    route('owner-workspace', {
      operationId: 'explainPath',
      tag: 'Mirrors',
      summary: 'Explain the sync state of a path',
      points: [
        'For each mirror of the path: its state in folder, workspace and base, the rule that applies, and its problem.',
        'The recent changes of the path in the workspace, with actor and time.',
      ],
      query: FileQueryParameters,
      answers: { 200: jsonAnswer(Explanation, 'The explanation; the path need not exist.') },
    }),
    async (request, reply) => {
      const path = requiredPath(request);
      const { workspaceId } = request.params;
      const revisions = await workspaces.history(workspaceId, path, explainedRevisions, null);
      return sendJson(reply, Explanation, 200, {
        path,
        mirrors: mirrors.explain(workspaceId, path).map(explainedWire),
        history: revisions.map((row) => ({
          revision: wireRevision(row.revision),
          action: row.action,
          at: isoTime(row.atMs),
          by: { kind: row.actor.kind, name: row.actor.name },
          origin: row.origin,
          ...(row.hash === null ? {} : { contentHash: row.hash }),
          ...(row.movedFrom === null ? {} : { movedFrom: row.movedFrom }),
          ...(row.opId === null ? {} : { opId: row.opId }),
          correlationId: row.correlationId,
        })),
      });
    },
  );
}

function explainedWire({
  row,
  state,
  rule,
  text,
  base,
  folder,
  workspace,
  problem,
}: Explained): Explanation['mirrors'][number] {
  return {
    mirrorId: row.mirrorId,
    dir: row.dir,
    mode: row.mode,
    state,
    rule,
    why: text,
    observed: {
      base: base === null ? null : { contentHash: base.hash, revision: wireRevision(base.revision) },
      folder: folderWire(folder),
      workspace:
        workspace === null
          ? null
          : {
              contentHash: workspace.hash,
              revision: wireRevision(workspace.revision),
              size: workspace.sizeBytes,
            },
    },
    problem:
      problem === null
        ? null
        : {
            kind: problem.kind,
            cause: problem.cause,
            next: problem.next,
            retryAt: problem.retryAtMs === null ? null : isoTime(problem.retryAtMs),
          },
  };
}

function folderWire(folder: Explained['folder']): Explanation['mirrors'][number]['observed']['folder'] {
  if (folder === null) return null;
  if (folder.kind !== 'file') return { kind: folder.kind === 'blocked' ? folder.reason : folder.kind };
  return {
    kind: 'file',
    contentHash: folder.hash,
    size: folder.sizeBytes,
    modifiedAt: isoTime(Number(BigInt(folder.mtimeNs) / 1_000_000n)),
  };
}

export function registerPathStates(app: App, { mirrors }: HttpDependencies): void {
  app.post(
    '/v1/workspaces/:workspaceId/mirrors/path-states',
    commandRoute('owner-workspace', {
      operationId: 'getPathStates',
      tag: 'Mirrors',
      summary: 'Get the sync state of many paths',
      points: [
        'For up to 1,000 paths: up to date, transferring, or not synced, in every mirror of the path.',
        'A directory has the most severe state of its descendants.',
        'Uses the known state and reads no files. `explain` gives the reason for a single path.',
      ],
      body: PathStatesBody,
      answers: { 200: jsonAnswer(PathStates, 'One state per path; a path need not exist.') },
      bodyBytesMax: pathStatesBodyBytesMax,
    }),
    async (request, reply) => {
      const { paths } = request.body;
      const seen = await mirrors.pathStates(request.params.workspaceId, paths.map(normalizeReadPath));
      return sendJson(reply, PathStates, 200, {
        states: paths.map((path, index) => {
          const states = seen[index] ?? [];
          return {
            path,
            state: mostSevere(states),
            mirrors: states.map(({ mirrorId, state, why, next, retryAtMs }) => ({
              mirrorId,
              state,
              why,
              next,
              retryAt: retryAtMs === null ? null : isoTime(retryAtMs),
            })),
          };
        }),
      });
    },
  );
}
