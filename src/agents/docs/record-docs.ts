import type { AgentDocs } from './agent-docs.js';

export const recordDocs: AgentDocs = {
  name: 'Record',
  description:
    'Writes a record of the team. Exports contain `record_type` and `record_writers` next to the options.',
  receives: 'events of other actions, or none at the start of a run',
  emits: 'the record that was written',
  loops: false,
  options: {
    mode: { description: 'Operation; only `create` is supported.', example: 'create' },
    record_type: { description: 'The type of the record, found by its name.', example: { name: 'Alert' } },
    record_writers: {
      description: 'The value of each field: a list of `{formula, record_field: {name}}`.',
      example: [{ formula: '=receive.body.severity', record_field: { name: 'Severity' } }],
    },
  },
};
