// The script of the documentation: search, copying, the menu of small windows, and addresses of the former single page.
import MiniSearch from 'minisearch';

const field = document.getElementById('search');
const list = document.getElementById('found');
const sidebar = document.getElementById('sidebar');
const menu = document.querySelector('.menu-button');
const shownMax = 12;
let index = null;
let found = [];
let current = -1;

async function loadIndex() {
  index ??= fetch('/docs/search.json')
    .then((answer) => answer.text())
    .then((text) =>
      MiniSearch.loadJSON(text, { fields: ['title', 'text'], storeFields: ['title', 'section'] }),
    );
  return await index;
}

function show() {
  list.replaceChildren(
    ...found.map(({ title, section }, at) => {
      const row = document.createElement('li');
      row.id = `found-${at}`;
      row.role = 'option';
      row.ariaSelected = String(at === current);
      row.append(title);
      const place = document.createElement('small');
      place.textContent = section;
      row.append(place);
      row.addEventListener('mousedown', (event) => {
        event.preventDefault();
        open(at);
      });
      return row;
    }),
  );
  const isOpen = document.activeElement === field && field.value.trim() !== '';
  if (isOpen && found.length === 0) {
    const none = document.createElement('li');
    none.textContent = 'Nothing found';
    none.role = 'option';
    none.ariaDisabled = 'true';
    list.append(none);
  }
  list.hidden = !isOpen;
  field.setAttribute('aria-expanded', String(isOpen));
  if (current >= 0) {
    field.setAttribute('aria-activedescendant', `found-${current}`);
    list.children[current]?.scrollIntoView({ block: 'nearest' });
  } else field.removeAttribute('aria-activedescendant');
}

function open(at) {
  const target = found[at];
  if (target !== undefined) location.href = target.id;
}

field.addEventListener('focus', () => void loadIndex());
field.addEventListener('input', async () => {
  const searched = field.value;
  const results = (await loadIndex()).search(searched, {
    prefix: true,
    fuzzy: 0.15,
    boost: { title: 4 },
    combineWith: 'AND',
  });
  if (searched !== field.value) return;
  found = results.slice(0, shownMax);
  current = found.length === 0 ? -1 : 0;
  show();
});
field.addEventListener('blur', () => {
  list.hidden = true;
  field.setAttribute('aria-expanded', 'false');
});
field.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown') current = Math.min(found.length - 1, current + 1);
  else if (event.key === 'ArrowUp') current = Math.max(0, current - 1);
  else if (event.key === 'Enter') return open(current);
  else if (event.key === 'Escape') {
    field.value = '';
    found = [];
  } else return;
  event.preventDefault();
  show();
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || document.activeElement === field)
    return;
  event.preventDefault();
  field.select();
});

menu.addEventListener('click', () => {
  const isOpen = sidebar.classList.toggle('open');
  menu.setAttribute('aria-expanded', String(isOpen));
});
sidebar.querySelector('[aria-current]')?.scrollIntoView({ block: 'center' });

for (const block of document.querySelectorAll('pre')) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code').textContent);
    button.textContent = 'Copied';
    setTimeout(() => {
      button.textContent = 'Copy';
    }, 1500);
  });
  block.append(button);
}

// theme.js has set it for the first paint.
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', ({ matches }) => {
  if (localStorage.getItem('mooring.theme') === null)
    document.documentElement.dataset.theme = matches ? 'dark' : 'light';
});

// `/docs#readfile` of the single page is `/docs/api/readFile` now.
if (location.pathname.replace(/\/$/, '') === '/docs' && location.hash !== '') {
  const wanted = location.hash.slice(1);
  const link = [...document.querySelectorAll('main a')].find(
    ({ pathname }) => pathname.slice(pathname.lastIndexOf('/') + 1).toLowerCase() === wanted,
  );
  if (link !== undefined) location.replace(link.href);
}
