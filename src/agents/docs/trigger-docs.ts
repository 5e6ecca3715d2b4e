import type { AgentDocs } from './agent-docs.js';

export const triggerDocs: AgentDocs = {
  name: 'Trigger',
  description: 'Passes an event on if enough of its rules match.',
  receives: 'events of other actions',
  emits: '`{rule_matched: true}` to the normal links; `{rule_matched: false}` to the no-match links',
  loops: false,
  options: {
    rules: {
      description:
        'A list of `{type, path, value, case_sensitive}`. Types: regex, !regex, field==value, field!=value, field<value, field<=value, field>value, field>=value, field==null, field!=null, in, not in, formula, !formula. To verify a signature, use formula with HMAC_VERIFY.',
      example: [{ type: 'field==value', path: '=receive.body.severity', value: 'high' }],
    },
    must_match: {
      description: 'Number of rules that must match. Default: all.',
      example: 1,
    },
    emit_no_match: {
      description: 'If true, events that do not match are also emitted to the normal links.',
      example: true,
    },
  },
};
