// A provider process for the length of one vitest test.
import { onTestFinished } from 'vitest';
import { ProviderProcess } from './provider-process.ts';

export { ProviderProcess, providerSecret } from './provider-process.ts';

export async function startProvider(port = 0): Promise<ProviderProcess> {
  const provider = await ProviderProcess.start(port);
  onTestFinished(() => provider.end());
  return provider;
}
