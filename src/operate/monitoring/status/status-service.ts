import { type Actor, requireTeam, visibleTeamIds } from '../../../api/face.js';
import { createOperatorCheck } from '../../../people/face.js';
import { memoizeFor } from '../../../platform/runtime/memoize.js';
import { SHARED_MS, sharedByScope } from '../shared-by-scope.js';
import { type InstallationDeps, type InstallationStatus, readInstallation } from './installation-status.js';
import type { Reason } from '../reasons/reason.js';
import { installationReasons, type State, stateOf, teamReasons } from './status-reasons.js';
import { readTeamStatus, type TeamStatus } from './team-status.js';

/** Whether all is well, for one caller. */
export interface Status {
  state: State;
  reasons: readonly Reason[];
  checkedAt: Date;
  /** Null for others than operators. */
  installation: InstallationStatus | null;
  /** Null: it could not be read. */
  teams: TeamStatus | null;
}

export type StatusService = ReturnType<typeof createStatusService>;

/** Creates the reader of the status (spec §1.9). */
export function createStatusService(deps: InstallationDeps) {
  const { isOperator } = createOperatorCheck(deps.database);
  const installation = memoizeFor(SHARED_MS, () => readInstallation(deps));
  const teams = sharedByScope((scope) => deps.database.read((session) => readTeamStatus(session, scope)));

  return {
    /** Returns the status of a team, or of all that the actor may see. @throws NotFound for a team that it may not see. */
    async get(actor: Actor, teamId: number | undefined): Promise<Status> {
      if (teamId !== undefined) requireTeam(actor, teamId, 'read');
      const teamIds = teamId === undefined ? visibleTeamIds(actor).toSorted((a, b) => a - b) : [teamId];
      const [own, all] = await Promise.all([
        teams({ tenantId: actor.tenantId, teamIds }),
        isOperator(actor).then((isAllowed) => (isAllowed ? installation() : null)),
      ]);
      const reasons = [...(all === null ? [] : installationReasons(all)), ...teamReasons(own)];
      return { state: stateOf(reasons), reasons, checkedAt: new Date(), installation: all, teams: own };
    },
  };
}
