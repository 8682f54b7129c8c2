// Highlights source in a thread of its own: a large file does not hold up the page.
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import markdown from 'highlight.js/lib/languages/markdown';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import sql from 'highlight.js/lib/languages/sql';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';
import { highlightedLines } from '../../model/viewers/highlighted-lines.ts';

const languages = {
  ...{
    bash,
    c,
    cpp,
    css,
    diff,
    go,
    ini,
    java,
    javascript,
    json,
    markdown,
    python,
    ruby,
    rust,
    sql,
    typescript,
  },
  ...{ xml, yaml },
};
for (const [name, language] of Object.entries(languages)) hljs.registerLanguage(name, language);

self.addEventListener(
  'message',
  ({ data }: MessageEvent<{ readonly text: string; readonly language: string }>) => {
    const { text, language } = data;
    const { value } = hljs.highlight(text, { language, ignoreIllegals: true });
    self.postMessage(highlightedLines(value));
  },
);
