import { describe, expect, it, vi } from 'vitest';
import { describeMirrors } from '../../server/cli/shared/mirror-text.ts';
import { startMirrorHarness } from '../support/mirror-harness.ts';

// Each of these settles a real folder several times.
vi.setConfig({ testTimeout: 300_000 });

describe('files that look like secrets', () => {
  it('are mirrored, and that is said once for all of them, until they are ignored', async () => {
    const rig = await startMirrorHarness();
    rig.write('a.txt', '1');
    rig.write('.env.example', 'KEY=');
    expect((await rig.mirror()).warnings).toEqual([]);
    rig.write('.env', 'KEY=1');
    rig.write('app/.env.local', 'KEY=2');
    await rig.settle();
    expect((await rig.workspace())['/.env']).toBe('KEY=1');
    const view = await rig.view();
    expect(view.problems).toBe(0);
    expect(view.warnings).toMatchObject([
      {
        kind: 'secrets',
        path: '/.env',
        cause: expect.stringMatching(/^\/\.env and 1 more may contain secrets/),
      },
    ]);
    expect(describeMirrors([view]).join('\n')).toContain('note: /.env and 1 more may contain secrets');
    rig.write('.mooringignore', '.env*\n');
    await rig.settle();
    expect((await rig.view()).warnings).toEqual([]);
    expect((await rig.workspace())['/.env']).toBe('KEY=1');
  });
});

describe('rules that somebody else than the folder changed', () => {
  it('are named with who and when, also after a restart, until the folder has the last word', async () => {
    const rig = await startMirrorHarness();
    rig.write('.mooringignore', '*.log\n');
    rig.write('d/a', 'a');
    expect((await rig.mirror()).warnings).toEqual([]);
    await rig.put('/.mooringignore', '*.tmp\n');
    const rules = '{"semantics":{"permissions":["deny:agent:x"]}}';
    await rig.change({
      kind: 'write_file',
      path: '/d/.relayfile.acl',
      precondition: { kind: 'any' },
      content: await rig.workspaces.stage(Buffer.from(rules)),
      defaultContentType: 'application/json',
      encoding: 'utf-8',
      aclText: rules,
    });
    const told = async () => (await rig.settle()).warnings.map(({ kind, path }) => `${kind} ${path}`);
    const both = ['rules_changed /.mooringignore', 'rules_changed /d/.relayfile.acl'];
    expect(await told()).toEqual(both);
    expect((await rig.view()).warnings[0]?.cause).toMatch(
      /rig changed the ignore rules of .* at \d{4}-.*, not in the folder/,
    );
    await rig.restart();
    expect(await told()).toEqual(both);
    rig.write('.mooringignore', '*.bak\n');
    expect(await told()).toEqual(['rules_changed /d/.relayfile.acl']);
  });
});
