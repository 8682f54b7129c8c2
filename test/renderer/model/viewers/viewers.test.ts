import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { asciiText, hexText, offsetText } from '../../../../renderer/model/viewers/hex-rows.ts';
import { highlightedLines } from '../../../../renderer/model/viewers/highlighted-lines.ts';
import { formatJson } from '../../../../renderer/model/viewers/json-text.ts';
import { viewersOf } from '../../../../renderer/model/viewers/viewer-kinds.ts';

describe('the views of a file', () => {
  it.each([
    ['/a.md', 'text/plain', false, ['markdown', 'raw']],
    ['/a', 'text/markdown; charset=utf-8', false, ['raw', 'markdown']],
    ['/a.txt', 'text/markdown', false, ['raw']],
    ['/a.ts', 'text/markdown', false, ['code', 'raw']],
    ['/a.json', 'application/json', false, ['json', 'raw']],
    ['/a.geojson', 'application/geo+json', false, ['json', 'raw']],
    ['/a.tsv', 'text/plain', false, ['table', 'raw']],
    ['/src/a.TS', 'text/plain', false, ['code', 'raw']],
    ['/.py', 'text/plain', false, ['raw']],
    ['/a.svg', 'image/svg+xml', false, ['image', 'code', 'raw']],
    ['/a.png', 'image/png', true, ['image', 'raw']],
    ['/a.pdf', 'application/pdf', true, ['pdf', 'raw']],
    ['/a.mp3', 'audio/mpeg', true, ['audio', 'raw']],
    ['/a.mp4', 'video/mp4', true, ['video', 'raw']],
    ['/a.md', 'application/octet-stream', true, ['raw']],
    ['/a.html', 'text/html', true, ['raw']],
  ] as const)('%s of type %s', (path, contentType, isBinary, kinds) => {
    expect(viewersOf({ path, contentType, isBinary })).toEqual(kinds);
  });
});

describe('formatted JSON', () => {
  it('has the same values, whatever they are, and lines of its own', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), (value, space) => {
        const formatted = formatJson(JSON.stringify(value, null, space));
        expect(formatted.ok && formatted.text).toBe(JSON.stringify(value, null, 2));
      }),
    );
  });

  it('keeps what JavaScript would change: large numbers, repeated names, escapes', () => {
    const text = '{"n":12345678901234567890,"n":1.50e+3,"s":"\\u00e4\\/"}';
    const formatted = formatJson(text);
    expect(formatted).toEqual({
      ok: true,
      text: '{\n  "n": 12345678901234567890,\n  "n": 1.50e+3,\n  "s": "\\u00e4\\/"\n}',
    });
    expect(formatJson('{"a":').ok).toBe(false);
  });
});

describe('highlighted lines', () => {
  it('are parts of one line each, with the classes around them', () => {
    const html =
      '<span class="hljs-comment">/* a\n &lt;b&gt; */</span>\nx &amp; <span class="hljs-string">&quot;<span class="hljs-subst">y</span>&#x27;</span>';
    expect(highlightedLines(html)).toEqual([
      [{ text: '/* a', className: 'hljs-comment' }],
      [{ text: ' <b> */', className: 'hljs-comment' }],
      [
        { text: 'x & ', className: '' },
        { text: '"', className: 'hljs-string' },
        { text: 'y', className: 'hljs-string hljs-subst' },
        { text: "'", className: 'hljs-string' },
      ],
    ]);
  });
});

it('a row of a hex view has its offset, its bytes and their text', () => {
  const bytes = new TextEncoder().encode('Hello, wörld!\n');
  expect([offsetText(0x1f0), hexText(bytes), asciiText(bytes)]).toEqual([
    '000001f0',
    '48 65 6c 6c 6f 2c 20 77  c3 b6 72 6c 64 21 0a',
    'Hello, w..rld!.',
  ]);
});
