import { isJsonObject, type JsonObject } from '../../platform/json.js';

/** Returns what a file of another product is, as `a workflow of n8n`; undefined for anything else. */
export function foreignFormatOf(value: unknown): string | undefined {
  const isFlow =
    Array.isArray(value) && value.some((node) => isJsonObject(node) && Array.isArray(node.wires));
  if (isFlow) return 'a flow of Node-RED';
  if (!isJsonObject(value) || value.agents !== undefined) return undefined;
  return FORMATS.find(({ is }) => is(value))?.name;
}

const FORMATS: readonly { name: string; is: (value: JsonObject) => boolean }[] = [
  {
    name: 'a workflow of n8n',
    is: ({ nodes, connections }) => Array.isArray(nodes) && isJsonObject(connections),
  },
  { name: 'a scenario of Make', is: ({ flow, metadata }) => Array.isArray(flow) && isJsonObject(metadata) },
  {
    name: 'a state machine of AWS Step Functions',
    is: ({ StartAt, States }) => typeof StartAt === 'string' && isJsonObject(States),
  },
  {
    name: 'a workflow of Shuffle',
    is: ({ actions, branches, triggers }) => [actions, branches, triggers].every(Array.isArray),
  },
  {
    name: 'a flow of Power Automate or Logic Apps',
    is: ({ properties, definition }) =>
      isJsonObject(definition ?? (isJsonObject(properties) ? properties.definition : undefined)),
  },
];
