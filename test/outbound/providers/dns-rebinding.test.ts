// DNS rebinding against the resolver of the system: a name that answers with a public address first and with the loopback address
// then. What the product connects to is what it checked, because it checks the very answer that it connects with.
import { execFileSync, spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { tempFolder } from '../../support/temp-folder.ts';

const program = fileURLToPath(new URL('../../support/rebinding-process.ts', import.meta.url));
/** A resolver and addresses of its own need namespaces, which root has on Linux. */
const canUnshare =
  process.platform === 'linux' && spawnSync('unshare', ['-mn', 'ip', 'link', 'set', 'lo', 'up']).status === 0;

it('a name that changes its address never leads to a private one', ({ skip }) => {
  skip(!canUnshare, 'this system gives no network namespace to this user');
  const resolver = path.join(tempFolder('mooring-resolver'), 'resolv.conf');
  writeFileSync(resolver, 'nameserver 127.0.0.1\noptions timeout:2 attempts:1\n');
  const script = [
    'ip link set lo up',
    'ip addr add 203.0.114.7/32 dev lo',
    'mount --bind "$1" /etc/resolv.conf',
    'exec "$2" "$3"',
  ].join(' && ');
  const answer = execFileSync(
    'unshare',
    ['-mn', 'sh', '-c', script, 'sh', resolver, process.execPath, program],
    { encoding: 'utf8' },
  );
  expect(JSON.parse(answer)).toEqual({
    allowed: { kinds: ['answer'], reached: ['127.0.0.1'] },
    private: { kinds: ['not_allowed'], reached: [] },
    changing: { kinds: ['answer', 'not_allowed'], reached: ['203.0.114.7'] },
    mixed: { kinds: ['answer'], reached: ['203.0.114.7'] },
  });
});
