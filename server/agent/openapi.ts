// Builds the OpenAPI document of the routes, without a listening agent.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { systemClock } from '../platform/clock.ts';
import { loadConfig } from '../platform/config/config.ts';
import { createLogger } from '../platform/observe/logger.ts';
import { assemble } from './parts.ts';
import { AgentStartError } from './start-failure.ts';

/** As text. Made by a whole agent on an empty folder. */
export async function openApiText(): Promise<string> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'mooring-openapi-'));
  const stops: (() => void | Promise<void>)[] = [];
  try {
    const loaded = loadConfig({ flags: { dataDir }, readConfigFile: () => null });
    if (!loaded.ok) throw new AgentStartError('The settings are not valid.', 'See "mooring doctor".');
    const logger = createLogger({ level: 'error' });
    const { app } = await assemble(loaded.config, null, systemClock, logger, (_, stop) => stops.push(stop));
    return `${JSON.stringify(app.openApiDocument(), null, 2)}\n`;
  } finally {
    for (const stop of stops.reverse()) await stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
