// The tools, resources and prompts that scenarios of the conformance suite call by name, added to the server of the product. Only tests have them.
import {
  completable,
  fromJsonSchema,
  type McpServer,
  ResourceTemplate,
  type ServerContext,
} from '@modelcontextprotocol/server';
import * as z from 'zod';

const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';
const silence = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEARKwAAIhYAQACABAAZGF0YQAAAAA=';
const text = (value: string) => ({ type: 'text' as const, text: value });
const image = { type: 'image' as const, data: pixel, mimeType: 'image/png' };
const embedded = (uri: string) => ({
  type: 'resource' as const,
  resource: { uri, mimeType: 'text/plain', text: 'embedded' },
});

export function addFixtures(server: McpServer): McpServer {
  addTools(server);
  addToolWithHeader(server);
  addResources(server);
  addPrompts(server);
  return server;
}

function addTools(server: McpServer): void {
  const answers = {
    test_simple_text: [text('a text')],
    test_image_content: [image],
    test_audio_content: [{ type: 'audio' as const, data: silence, mimeType: 'audio/wav' }],
    test_embedded_resource: [embedded('test://embedded-resource')],
    test_multiple_content_types: [text('a text'), image, embedded('test://mixed-content-resource')],
  };
  for (const [name, content] of Object.entries(answers)) {
    server.registerTool(name, { description: name }, () => ({ content }));
  }
  server.registerTool('test_error_handling', { description: 'Always fails' }, () => ({
    isError: true,
    content: [text('This tool always fails')],
  }));
  server.registerTool('test_tool_with_progress', { description: 'Reports progress' }, async (context) => {
    await sendProgress(context);
    return { content: [text('done')] };
  });
  const schema = {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object' as const,
    $defs: {
      address: {
        $anchor: 'addressDef',
        type: 'object',
        properties: { street: { type: 'string' }, city: { type: 'string' } },
      },
    },
    properties: {
      name: { type: 'string' },
      address: { $ref: '#/$defs/address' },
      contactMethod: { type: 'string', enum: ['phone', 'email'] },
      phone: { type: 'string' },
      email: { type: 'string' },
    },
    allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
    if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
    // biome-ignore lint/suspicious/noThenProperty: a word of JSON Schema
    then: { required: ['phone'] },
    else: { required: ['email'] },
    additionalProperties: false,
  };
  server.registerTool(
    'json_schema_2020_12_tool',
    { description: 'Has words of JSON Schema 2020-12', inputSchema: fromJsonSchema(schema as never) },
    () => ({ content: [text('done')] }),
  );
}

/** Its argument is repeated in a header, which the server compares. */
function addToolWithHeader(server: McpServer): void {
  const inputSchema = {
    type: 'object' as const,
    properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
    required: ['region'],
  };
  server.registerTool(
    'test_x_mcp_header',
    { description: 'Has an argument in a header', inputSchema: fromJsonSchema(inputSchema as never) },
    () => ({ content: [text('done')] }),
  );
}

async function sendProgress({ mcpReq }: ServerContext): Promise<void> {
  const progressToken = mcpReq._meta?.progressToken;
  if (progressToken === undefined) return;
  for (const progress of [0, 50, 100]) {
    await mcpReq.notify({
      method: 'notifications/progress',
      params: { progressToken, progress, total: 100 },
    });
  }
}

function addResources(server: McpServer): void {
  const whole = { 'test://static-text': 'text/plain', 'test://watched-resource': 'text/plain' };
  for (const [uri, mimeType] of Object.entries(whole)) {
    server.registerResource(uri, uri, { mimeType }, () => ({
      contents: [{ uri, mimeType, text: 'a text' }],
    }));
  }
  const binary = 'test://static-binary';
  server.registerResource(binary, binary, { mimeType: 'image/png' }, () => ({
    contents: [{ uri: binary, mimeType: 'image/png', blob: pixel }],
  }));
  server.registerResource(
    'template',
    new ResourceTemplate('test://template/{id}/data', { list: undefined }),
    { mimeType: 'application/json' },
    (uri, { id }) => ({
      contents: [{ uri: uri.href, mimeType: 'application/json', text: JSON.stringify({ id }) }],
    }),
  );
}

function addPrompts(server: McpServer): void {
  const says = (...content: (ReturnType<typeof text> | typeof image | ReturnType<typeof embedded>)[]) => ({
    messages: content.map((part) => ({ role: 'user' as const, content: part })),
  });
  const one = (values: readonly string[]) =>
    completable(z.string(), (start) => values.filter((value) => value.startsWith(start)));
  server.registerPrompt('test_simple_prompt', { description: 'One text' }, () => says(text('a prompt')));
  server.registerPrompt(
    'test_prompt_with_arguments',
    {
      description: 'Repeats its arguments',
      argsSchema: z.object({ arg1: one(['test', 'paris']), arg2: one(['hello']) }),
    },
    ({ arg1, arg2 }) => says(text(`${arg1} and ${arg2}`)),
  );
  server.registerPrompt(
    'test_prompt_with_embedded_resource',
    { description: 'Has a resource', argsSchema: z.object({ resourceUri: z.string() }) },
    ({ resourceUri }) => says(embedded(resourceUri), text('a prompt')),
  );
  server.registerPrompt('test_prompt_with_image', { description: 'Has an image' }, () =>
    says(image, text('a prompt')),
  );
}
