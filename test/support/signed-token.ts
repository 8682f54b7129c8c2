// A token for a workspace that is not created yet: the API issues none, so the test signs it with the agent's key.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { SignJWT } from 'jose';
import type { AgentProcess } from './agent.ts';
import { signingKeyInHub } from './hub-database.ts';

export async function signedToken(agent: AgentProcess, workspaceId: string): Promise<string> {
  const text =
    (await signingKeyInHub(agent.dataDir)) ??
    readFileSync(path.join(agent.dataDir, 'signing-key.json'), 'utf8');
  const key = JSON.parse(text) as { readonly kid: string; readonly k: string };
  return await new SignJWT({
    workspace_id: workspaceId,
    scopes: ['fs:read', 'fs:write', 'ops:read', 'sync:read'],
  })
    .setProtectedHeader({ alg: 'HS256', kid: key.kid })
    .setSubject('first-use')
    .setAudience('relayfile')
    .setExpirationTime('1h')
    .sign(Buffer.from(key.k, 'base64url'));
}
