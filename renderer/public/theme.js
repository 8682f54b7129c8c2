// Runs before the first paint, so that a dark page never flashes white (renderer/theme.ts has the rest), and a page that will be signed in has its
// frame at once (renderer/shell/frame.tsx).
{
  const choice = localStorage.getItem('mooring.theme');
  const dark =
    choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
  if (localStorage.getItem('mooring.offer') !== null || location.hash.includes('sign-in='))
    document.documentElement.dataset.frame = '';
}
