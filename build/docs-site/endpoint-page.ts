// The page of an endpoint: what it does, parameters, body and answers on the left, examples on the right.
import { cliExample } from './cli-examples.ts';
import { curlExample } from './curl.ts';
import { blocks, escaped, marked } from './html.ts';
import type { Page } from './layout.ts';
import { type Document, type Endpoint, nameOf, resolved, type Schema } from './openapi.ts';
import { sdkExampleText } from './sdk-examples.ts';

/** Deeper members are named by their type alone. */
const depthMax = 3;
/** A schema with more members is folded below the first level. */
const openMembersMax = 8;

export function endpointPage(document: Document, endpoint: Endpoint): Page {
  const { method, path, operation } = endpoint;
  const { operationId, summary, description = '', tags, parameters = [], requestBody } = operation;
  const body = Object.values(requestBody?.content ?? {})[0]?.schema;
  const shownParameters = parameters.filter(({ name }) => name.toLowerCase() !== 'authorization');
  const html = [
    `<p class="eyebrow">${escaped(tags[0] ?? '')}</p><h1>${escaped(summary)}</h1>`,
    `<p class="route"><span class="verb ${method}">${method}</span> <code>${escaped(path)}</code></p>`,
    blocks(description),
    ...(shownParameters.length === 0
      ? []
      : [
          heading('Parameters'),
          `<dl class="members">${shownParameters
            .map(({ name, in: place, required, description: about, schema = {} }) =>
              memberHtml(
                name,
                `${place}${required === true ? ', required' : ''}`,
                { ...schema, description: about ?? '' },
                document,
                1,
              ),
            )
            .join('')}</dl>`,
        ]),
    ...(body === undefined
      ? []
      : [
          heading(`Body${requestBody?.required === false ? ' (optional)' : ''}`, 'body'),
          schemaHtml(body, document, 0),
        ]),
    heading('Answers'),
    ...Object.entries(operation.responses).map(([status, { description: about = '', content = {} }]) => {
      const schemas = Object.values(content).map(({ schema }) =>
        schemaHtml(schema, document, status.startsWith('2') ? 0 : depthMax),
      );
      return `<section class="answer"><h3 id="answer-${status}"><span class="status s${status[0]}">${status}</span> ${marked(about)}</h3>${schemas.join('')}</section>`;
    }),
  ].join('\n');
  return {
    name: `api/${operationId}`,
    title: summary,
    section: tags[0] ?? 'API',
    html,
    aside: examples(document, endpoint),
  };
}

function heading(text: string, id = text.toLowerCase()): string {
  return `<h2 id="${id}"><a class="anchor" href="#${id}">${text}</a></h2>`;
}

function examples(document: Document, endpoint: Endpoint): string {
  const { operationId } = endpoint.operation;
  const sdk = sdkExampleText(operationId);
  const cli = cliExample(operationId);
  const kinds = [
    { id: 'curl', name: 'curl', code: curlExample(document, endpoint) },
    ...(sdk === null ? [] : [{ id: 'typescript', name: 'TypeScript', code: sdk }]),
    ...(cli === null ? [] : [{ id: 'cli', name: 'Command line', code: cli }]),
  ];
  return kinds
    .map(
      ({ id, name, code }) =>
        `<section class="example" data-kind="${id}"><h2 id="example-${id}">${name}</h2><pre class="code" tabindex="0"><code>${escaped(code)}</code></pre></section>`,
    )
    .join('');
}

function schemaHtml(given: Schema, document: Document, depth: number): string {
  const schema = resolved(document, given);
  const inner = schema.type === 'array' ? resolved(document, schema.items ?? {}) : schema;
  const members = Object.entries(inner.properties ?? {});
  if (members.length === 0 || depth >= depthMax)
    return depth === 0 ? `<p>${typeText(given, document)}</p>` : '';
  const list = `<dl class="members">${members
    .map(([name, member]) => memberHtml(name, schemaFacts(inner, name), member, document, depth + 1))
    .join('')}</dl>`;
  if (depth === 0 || members.length <= openMembersMax / depth) return list;
  return `<details class="members-of"><summary>${members.length} members</summary>${list}</details>`;
}

function schemaFacts({ required = [] }: Schema, name: string): string {
  return required.includes(name) ? '' : 'optional';
}

function memberHtml(name: string, facts: string, member: Schema, document: Document, depth: number): string {
  const range = rangeText(member);
  const about = member.description ?? resolved(document, member).description ?? '';
  return `<div><dt><code>${escaped(name)}</code> <span class="type">${typeText(member, document)}</span>${
    facts === '' ? '' : ` <span class="facts">${escaped(facts)}</span>`
  }${range === '' ? '' : ` <span class="facts">${escaped(range)}</span>`}</dt><dd>${about === '' ? '' : marked(about)}${schemaHtml(member, document, depth)}</dd></div>`;
}

function typeText(schema: Schema, document: Document): string {
  if (schema.$ref !== undefined) return escaped(nameOf(schema.$ref));
  if (schema.anyOf !== undefined) return schema.anyOf.map((each) => typeText(each, document)).join(' or ');
  if (schema.enum !== undefined)
    return schema.enum.map((value) => `<code>${escaped(String(value))}</code>`).join(' or ');
  if (schema.const !== undefined) return `<code>${escaped(JSON.stringify(schema.const))}</code>`;
  if (schema.type === 'array') return `list of ${typeText(schema.items ?? {}, document)}`;
  return escaped(String(schema.type ?? 'any'));
}

function rangeText({ default: usual, minimum, maximum }: Schema): string {
  return [
    usual === undefined ? '' : `default ${JSON.stringify(usual)}`,
    minimum === undefined ? '' : `at least ${minimum}`,
    maximum === undefined ? '' : `at most ${maximum.toLocaleString('en')}`,
  ]
    .filter((part) => part !== '')
    .join(', ');
}
