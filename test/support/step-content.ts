/** The content of a step with one action. */
export const STEP_CONTENT = {
  agents: [{ type: 'Agents::TriggerAgent', name: 'Decide', options: { rules: [] } }],
  links: [],
};
