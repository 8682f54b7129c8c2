// Renders the OpenAPI document as the HTML page at /docs, without scripts.

import {
  exampleCall,
  type Operation,
  type ReferenceTable,
  referenceTables,
  type Schema,
} from './reference.ts';

interface Document {
  readonly info: { readonly title: string; readonly version: string; readonly description?: string };
  readonly tags?: readonly { readonly name: string; readonly description?: string }[];
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly schemas?: Readonly<Record<string, Schema>> };
}

export function docsPage(openApi: Readonly<Record<string, unknown>>): string {
  const document = openApi as unknown as Document;
  const { info } = document;
  const sections = (document.tags ?? []).map((tag) => {
    const operations = operationsOf(document, tag.name);
    return `<section id="${id(tag.name)}"><h2>${text(tag.name)}</h2><p>${markup(tag.description ?? '')}</p>${operations
      .map(([path, method, operation]) => operationHtml(path, method, operation))
      .join('')}</section>`;
  });
  const schemas = Object.entries(document.components?.schemas ?? {}).map(
    ([name, schema]) =>
      `<article id="schema-${id(name)}"><h3>${text(name)}</h3>${propertiesHtml(schema)}</article>`,
  );
  const tables = referenceTables();
  const navigation = (document.tags ?? [])
    .map((tag) => `<a href="#${id(tag.name)}">${text(tag.name)}</a>`)
    .join(' ');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${text(info.title)} API ${text(info.version)}</title><link rel="stylesheet" href="/docs/style.css"></head>
<body><header><h1>${text(info.title)} API <small>${text(info.version)}</small></h1>
${blocks(info.description ?? '')}
<p>For programs: <a href="/v1/openapi.json">openapi.json</a></p>
<nav aria-label="Sections">${navigation} ${tables.map((table) => `<a href="#${table.id}">${text(table.title)}</a>`).join(' ')} <a href="#schemas">Schemas</a></nav></header>
<main>${sections.join('\n')}
${tables.map(tableHtml).join('\n')}
<section id="schemas"><h2>Schemas</h2>${schemas.join('\n')}</section></main></body></html>
`;
}

function tableHtml({ id: anchor, title, intro, rows }: ReferenceTable): string {
  const body = rows.map(
    ([name, value]) => `<tr><th scope="row"><code>${text(name)}</code></th><td>${markup(value)}</td></tr>`,
  );
  return `<section id="${anchor}"><h2>${text(title)}</h2><p>${markup(intro)}</p><table>${body.join('')}</table></section>`;
}

function operationsOf(
  document: Document,
  tag: string,
): [path: string, method: string, operation: Operation][] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => operation.tags?.includes(tag))
      .map(([method, operation]): [string, string, Operation] => [path, method, operation]),
  );
}

function operationHtml(path: string, method: string, operation: Operation): string {
  const parameters = (operation.parameters ?? []).map(
    (parameter) =>
      `<tr><th scope="row"><code>${text(parameter.name)}</code></th><td>${text(parameter.in)}${
        parameter.required ? ', required' : ''
      }</td><td>${typeHtml(parameter.schema ?? {})}</td><td>${markup(parameter.description ?? '')}${rangeText(parameter.schema ?? {})}</td></tr>`,
  );
  const body = Object.values(operation.requestBody?.content ?? {})[0]?.schema;
  const responses = Object.entries(operation.responses).map(([status, response]) => {
    const types = Object.entries(response.content ?? {}).map(
      ([media, { schema }]) => `${text(media)}: ${typeHtml(schema)}`,
    );
    return `<tr><th scope="row">${text(status)}</th><td>${types.join('<br>')}</td><td>${markup(response.description ?? '')}</td></tr>`;
  });
  return `<article id="${id(operation.operationId ?? path)}"><h3>${text(operation.summary ?? '')}</h3>
<p class="route"><b>${method.toUpperCase()}</b> <code>${text(path)}</code></p>${blocks(operation.description ?? '')}
${parameters.length === 0 ? '' : `<h4>Parameters</h4><table>${parameters.join('')}</table>`}
${body === undefined ? '' : `<h4>Body${operation.requestBody?.required === false ? ' (optional)' : ''}</h4>${propertiesHtml(body)}`}
<h4>Example</h4><pre>${text(exampleCall(method, path, operation))}</pre>
<h4>Responses</h4><table>${responses.join('')}</table></article>`;
}

function propertiesHtml(schema: Schema): string {
  const rows = Object.entries(schema.properties ?? {}).map(
    ([name, property]) =>
      `<tr><th scope="row"><code>${text(name)}</code></th><td>${schema.required?.includes(name) ? 'required' : 'optional'}</td><td>${typeHtml(
        property,
      )}</td><td>${markup(property.description ?? '')}</td></tr>`,
  );
  return rows.length === 0 ? `<p>${typeHtml(schema)}</p>` : `<table>${rows.join('')}</table>`;
}

function typeHtml(schema: Schema): string {
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1);
    return `<a href="#schema-${id(name)}">${text(name)}</a>`;
  }
  if (schema.anyOf !== undefined) return schema.anyOf.map(typeHtml).join(' or ');
  if (schema.enum !== undefined)
    return schema.enum.map((value) => `<code>${text(JSON.stringify(value))}</code>`).join(' or ');
  if (schema.const !== undefined) return `<code>${text(JSON.stringify(schema.const))}</code>`;
  if (schema.type === 'array') return `list of ${typeHtml(schema.items ?? {})}`;
  if (schema.properties !== undefined) {
    return `object: ${Object.keys(schema.properties)
      .map((name) => `<code>${text(name)}</code>`)
      .join(', ')}`;
  }
  return text(String(schema.type ?? 'any'));
}

function rangeText(schema: Schema): string {
  const parts = [
    schema.default === undefined ? '' : `default ${JSON.stringify(schema.default)}`,
    schema.minimum === undefined ? '' : `minimum ${schema.minimum}`,
    schema.maximum === undefined ? '' : `maximum ${schema.maximum}`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? '' : ` <small>(${text(parts.join(', '))})</small>`;
}

function id(name: string): string {
  return name.toLowerCase().replace(/[^a-z0-9]+/g, '-');
}

function text(raw: string): string {
  return raw
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Paragraphs, and lists of lines that start with `- `. */
function blocks(raw: string): string {
  return raw
    .split('\n\n')
    .map((block) =>
      block.startsWith('- ')
        ? `<ul>${block
            .slice(2)
            .split('\n- ')
            .map((item) => `<li>${markup(item)}</li>`)
            .join('')}</ul>`
        : `<p>${markup(block)}</p>`,
    )
    .join('\n');
}

/** The inline markup of descriptions: `code` and **strong**. */
function markup(raw: string): string {
  return text(raw)
    .replace(/`([^`]+)`/g, '<code>$1</code>')
    .replace(/\*\*([^*]+)\*\*/g, '<strong>$1</strong>');
}

export const docsStyle = `:root{color-scheme:light dark;--line:#8884;--soft:#8881}
body{font:15px/1.55 system-ui,sans-serif;margin:0 auto;max-width:64rem;padding:2rem 1rem}
h1 small{font-weight:400;opacity:.7}h2{margin-top:3rem;border-bottom:1px solid var(--line)}
article{margin:1.5rem 0 2.5rem}code{font:13px/1.4 ui-monospace,monospace;background:var(--soft);padding:.1em .3em;border-radius:3px}
.route code{font-size:14px}pre{font:13px/1.5 ui-monospace,monospace;background:var(--soft);padding:.6rem .8rem;overflow-x:auto}table{border-collapse:collapse;width:100%}
th,td{text-align:left;vertical-align:top;padding:.35rem .6rem .35rem 0;border-top:1px solid var(--line);font-weight:400}
nav a{margin-right:.8rem}
`;
