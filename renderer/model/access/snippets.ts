// Example API calls in four languages, with address and workspace filled in. Pure. The token stays a variable, because a
// terminal keeps pasted text in its history.

export const snippetLanguages = ['curl', 'TypeScript', 'Python', 'WebSocket'] as const;
export type SnippetLanguage = (typeof snippetLanguages)[number];

export interface Snippet {
  readonly title: string;
  readonly code: string;
}

const path = '/notes/today.md';

export function snippetsOf(language: SnippetLanguage, url: string, workspaceId: string): readonly Snippet[] {
  const workspace = `${url}/v1/workspaces/${encodeURIComponent(workspaceId)}`;
  switch (language) {
    case 'curl':
      return curl(workspace);
    case 'TypeScript':
      return typeScript(url, workspaceId);
    case 'Python':
      return python(workspace);
    case 'WebSocket':
      return webSocket(workspace);
  }
}

function curl(workspace: string): readonly Snippet[] {
  const head = (name: string): string =>
    `  -H "Authorization: Bearer $MOORING_TOKEN" -H 'X-Correlation-Id: ${name}'`;
  return [
    {
      title: 'Write a file',
      code: `curl -s -X PUT '${workspace}/fs/file?path=${path}' \\
${head('try-1')} \\
  -H 'If-Match: *' -H 'Content-Type: application/json' \\
  -d '{"content":"# Today\\n","contentType":"text/markdown"}'`,
    },
    { title: 'Read the file', code: `curl -s '${workspace}/fs/file?path=${path}' \\\n${head('try-2')}` },
    { title: 'List all files', code: `curl -s '${workspace}/fs/tree?depth=100' \\\n${head('try-3')}` },
  ];
}

function typeScript(url: string, workspaceId: string): readonly Snippet[] {
  const client = `import { MooringClient } from './sdk/index.ts';

const client = new MooringClient({ baseUrl: '${url}', token: process.env.MOORING_TOKEN });
`;
  return [
    {
      title: 'Write and read a file',
      code: `${client}await client.writeFile('${workspaceId}', '${path}', '# Today\\n');
const file = await client.readFile('${workspaceId}', '${path}');
console.log(file.revision, file.content);`,
    },
    {
      title: 'Follow changes',
      code: `${client}client.subscribe('${workspaceId}', {
  paths: ['/notes/**'],
  onEvent: (event) => console.log(event.type, event.path, event.content),
});`,
    },
  ];
}

function python(workspace: string): readonly Snippet[] {
  return [
    {
      title: 'Write and read a file',
      code: `import json, os, urllib.request

def call(method, path, body=None, **headers):
    request = urllib.request.Request('${workspace}' + path, method=method,
        data=None if body is None else json.dumps(body).encode())
    request.add_header('Authorization', 'Bearer ' + os.environ['MOORING_TOKEN'])
    request.add_header('X-Correlation-Id', 'try-python')
    request.add_header('Content-Type', 'application/json')
    for name, value in headers.items():
        request.add_header(name.replace('_', '-'), value)
    with urllib.request.urlopen(request) as answer:
        return json.load(answer)

call('PUT', '/fs/file?path=${path}', {'content': '# Today\\n'}, If_Match='*')
print(call('GET', '/fs/file?path=${path}')['content'])`,
    },
  ];
}

function webSocket(workspace: string): readonly Snippet[] {
  const address = workspace.replace(/^http/, 'ws');
  return [
    {
      title: 'Follow changes under /notes',
      code: `websocat "${address}/fs/ws?from=now&path=/notes/**&token=$MOORING_TOKEN"`,
    },
    {
      title: 'Follow changes in Node.js',
      code: `const token = process.env.MOORING_TOKEN;
const socket = new WebSocket(\`${address}/fs/ws?from=now&path=/notes/**&token=\${token}\`);
socket.onmessage = ({ data }) => console.log(JSON.parse(data));`,
    },
  ];
}
