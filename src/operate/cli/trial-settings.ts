import type { Config } from '../../config/face.js';
import { createFormulaLanguage, createLiquidLanguage } from '../../language/face.js';
import type { TrialDeps } from '../../trial/face.js';

/** Returns the settings of a trial on the command line: those of the server. */
export function trialSettings(
  config: Config,
  maxEvents = config.runEventLimit,
): Pick<TrialDeps, 'languages' | 'limits' | 'domain' | 'baseUrl'> {
  const { maxAttempts, maxDepth, maxCallDepth, publicUrl, port } = config;
  return {
    languages: { liquid: createLiquidLanguage(), formula: createFormulaLanguage() },
    limits: { maxAttempts, maxDepth, maxCallDepth, maxEvents },
    domain: publicUrl === undefined ? 'localhost' : new URL(publicUrl).host,
    baseUrl: publicUrl ?? `http://localhost:${port}`,
  };
}
