/* The only file of this room that others import. */
export { actionRunRoutes } from './action/action-run-routes.js';
export type { AnswerRule } from './answers/answer-rule.js';
export { parseAnswerRules } from './answers/answer-rules.js';
export { createAnsweredClient, createSilentClient } from './answers/answered-client.js';
export { createRecordingClient } from './answers/recording-client.js';
export { trialRoutes } from './api/trial-routes.js';
export type { TrialDeps } from './trial-engine.js';
export { runTrial } from './run-trial.js';
export { createNamedTrialValues, parseGivenValues } from './memory/named-trial-values.js';
export { previewRoutes } from './previews/preview-routes.js';
export { presentTrialReport } from './report/trial-presenter.js';
export { type TrialReport, hasFailedTrial } from './report/trial-report.js';
export { shadowRoutes } from './shadows/shadow-routes.js';
export { createShadowRunner } from './shadows/shadow-runner.js';
export { trialText } from './report/trial-text.js';
export { scrubStrings } from './report/scrub-strings.js';
export { createTrials, createTrialServices, type Trials, type TrialServices } from './trial-services.js';
