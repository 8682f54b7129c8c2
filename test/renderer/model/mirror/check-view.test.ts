import { expect, it } from 'vitest';
import { checkView } from '../../../../renderer/model/mirror/check-view.ts';

it.each([
  [
    'signing key',
    '/data/signing-key.json has mode 600',
    'Signing key',
    null,
    '/data/signing-key.json has mode 600',
  ],
  [
    'inotify max_user_watches',
    'max_user_watches is 8192',
    'Inotify max_user_watches',
    null,
    'max_user_watches is 8192',
  ],
  ['history', 'every revision for 30 days', 'History', null, 'Every revision for 30 days'],
  ['mirror /home/you/my notes', 'idle, 3 files', 'Mirror', '/home/you/my notes', 'Up to date, 3 files'],
  ['mirror /a', 'All files of /a are gone.', 'Mirror', '/a', 'All files of /a are gone.'],
])('the check %s reads as a sentence', (name, detail, title, path, shown) => {
  expect(checkView({ name, detail })).toEqual({ title, path, detail: shown });
});
