import type { AgentResult, AgentType } from '../../../agents/face.js';
import type { OpenedSecrets } from '../opened-secrets.js';

/** Returns the agent with outputs redacted of the secrets it sent: some servers echo them. */
export function redacting(type: AgentType, secrets: OpenedSecrets): AgentType {
  return {
    ...type,
    run: async (options, context) => redacted(await type.run(options, context), secrets),
  };
}

function redacted(result: AgentResult, secrets: OpenedSecrets): AgentResult {
  if (!('outputs' in result) || secrets.list().length === 0) return result;
  const outputs = result.outputs.map((output) => ({
    ...output,
    payload: secrets.redactValue(output.payload),
  }));
  return { ...result, outputs };
}
