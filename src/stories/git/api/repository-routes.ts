import Joi from 'joi';
import { type AnyRoute, defineRoute, requireTeam } from '../../../api/face.js';
import { type IdParams, idField, idParams } from '../../../platform/http/address/path-id.js';
import { gitRemote, isBranchName } from '../../../platform/git/git-remote.js';
import {
  presentRepository,
  presentSync,
  presentSyncResult,
  repositoryExample,
  repositorySchema,
  syncExample,
  syncResultExample,
  syncResultSchema,
  syncsSchema,
} from './repository-presenter.js';
import type { RepositoryService } from './repository-service.js';
import type { RepositorySettings, SyncDirection, SyncWay } from '../repository-store.js';

interface Services {
  repositories: RepositoryService;
}

interface RepositoryBody {
  url: string;
  branch: string;
  folder: string;
  direction: SyncDirection;
  way: SyncWay;
  layout: RepositorySettings['layout'];
  format: RepositorySettings['format'];
  credential_id: number | null;
  host_keys: string;
}

interface SyncBody {
  dry_run: boolean;
  restore_deleted: boolean;
}

const PATH = '/api/v1/teams/:id/repository';
const MOST_HOST_KEYS = 20_000;
/** A folder within the repository; no part of it is special to git or to a file system. */
const FOLDER = /^(?:[\p{L}\p{N}_-][\p{L}\p{N}._ -]*)(?:\/[\p{L}\p{N}_-][\p{L}\p{N}._ -]*)*$/u;

const repositoryBody = Joi.object<RepositoryBody>({
  url: Joi.string()
    .trim()
    .max(1_000)
    .required()
    .custom((text: string, helpers) => gitRemote(text)?.url ?? helpers.error('git.url'))
    .messages({
      'git.url':
        '{{#label}} must be an address such as https://HOST/PATH or git@HOST:PATH, without a password',
    })
    .description('Address of the repository: https or ssh, without a password'),
  branch: Joi.string()
    .max(200)
    .default('main')
    .custom((name: string, helpers) => (isBranchName(name) ? name : helpers.error('git.branch')))
    .messages({ 'git.branch': '{{#label}} must be the name of a branch' })
    .description('Branch that is synced'),
  folder: Joi.string()
    .max(500)
    .allow('')
    .default('')
    .pattern(FOLDER, 'folder')
    .messages({ 'string.pattern.name': '{{#label}} must be a path such as stories or teams/soc' })
    .description('Folder of the stories in the repository; empty: its root'),
  direction: Joi.string()
    .valid('pull', 'push', 'both')
    .default('both')
    .description('`pull`: from the repository; `push`: into it'),
  way: Joi.string()
    .valid('direct', 'pull_request')
    .default('direct')
    .description('`pull_request`: each story is pushed to a branch `fabula/TEAM/STORY-DIGEST`'),
  layout: Joi.string()
    .valid('file', 'folder')
    .default('file')
    .description('`folder`: a folder for each story, with one file for each action'),
  format: Joi.string().valid('yaml', 'json').default('yaml').description('Form of new files'),
  credential_id: idField
    .allow(null)
    .default(null)
    .description(
      'Credential of the mode `TEXT`: a token or `USER:PASSWORD` for https, a private key for ssh',
    ),
  host_keys: Joi.string()
    .max(MOST_HOST_KEYS)
    .allow('')
    .default('')
    .description('Public keys of an ssh host, as `ssh-keyscan HOST` prints them'),
});

const errors = [403, 404];

/** The git repository of a team (spec §2.6). */
export const repositoryRoutes: AnyRoute<Services>[] = [
  defineRoute<IdParams, unknown, unknown, Services>({
    method: 'get',
    path: PATH,
    summary: 'Get the git repository of a team',
    params: idParams,
    docs: {
      tag: 'Teams',
      operationId: 'getTeamRepository',
      description: 'For TEAM_ADMINs. Its settings, and how the last sync ended. 404 if the team has none.',
      response: repositorySchema,
      example: { params: { id: 2 }, response: repositoryExample },
      errors,
    },
    handle: async ({ actor, params }, { repositories }) =>
      presentRepository(await repositories.get(actor, params.id)),
  }),

  defineRoute<IdParams, unknown, RepositoryBody, Services>({
    method: 'put',
    path: PATH,
    summary: 'Set the git repository of a team',
    params: idParams,
    body: repositoryBody,
    audit: 'team.repository',
    docs: {
      tag: 'Teams',
      operationId: 'updateTeamRepository',
      description:
        'For TEAM_ADMINs. The stories of the team are synced with files in a folder of the branch, every few minutes and after publications, with the rights of the caller. With another address, branch or folder the sync begins anew.',
      response: repositorySchema,
      example: {
        params: { id: 2 },
        body: {
          url: 'https://git.example.com/soc/stories.git',
          folder: 'stories',
          direction: 'both',
          credential_id: 7,
        },
        response: repositoryExample,
      },
      errors: [400, 403, 404, 415, 422],
    },
    check: ({ actor, params }) => requireTeam(actor, params.id, 'manage'),
    handle: async ({ actor, params, body }, { repositories }) =>
      presentRepository(await repositories.set(actor, params.id, settingsOf(body))),
  }),

  defineRoute<IdParams, unknown, unknown, Services>({
    method: 'delete',
    path: PATH,
    summary: 'Remove the git repository of a team',
    status: 204,
    params: idParams,
    audit: 'team.repository_removed',
    docs: {
      tag: 'Teams',
      operationId: 'deleteTeamRepository',
      description: 'For TEAM_ADMINs. Stories and files stay as they are.',
      example: { params: { id: 2 } },
      errors,
    },
    handle: ({ actor, params }, { repositories }) => repositories.delete(actor, params.id),
  }),

  defineRoute<IdParams, unknown, SyncBody, Services>({
    method: 'post',
    path: `${PATH}/sync`,
    summary: 'Sync a team with its git repository',
    params: idParams,
    body: Joi.object<SyncBody>({
      dry_run: Joi.boolean().default(false).description('Whether nothing is written, neither here nor there'),
      restore_deleted: Joi.boolean()
        .default(false)
        .description('Whether files that were deleted in the repository are written again'),
    }),
    audit: 'team.repository_sync',
    docs: {
      tag: 'Teams',
      operationId: 'syncTeamRepository',
      description:
        'For TEAM_ADMINs. Returns the changes of both directions. A conflict leaves both sides as they are: the story gets a draft with the files. 409 while another sync of the repository runs.',
      response: syncResultSchema,
      example: { params: { id: 2 }, body: { dry_run: true }, response: syncResultExample },
      errors: [400, 403, 404, 409, 415, 422, 503],
    },
    check: async ({ actor, params }, { repositories }) => {
      await repositories.get(actor, params.id);
    },
    async handle({ actor, params, body }, { repositories }) {
      const isTrial = body.dry_run;
      const result = await repositories.sync(actor, params.id, {
        isTrial,
        restoresDeleted: body.restore_deleted,
      });
      return presentSyncResult(result, isTrial);
    },
  }),

  defineRoute<IdParams, unknown, unknown, Services>({
    method: 'get',
    path: `${PATH}/syncs`,
    summary: 'List the latest syncs of a team with its git repository',
    params: idParams,
    docs: {
      tag: 'Teams',
      operationId: 'listTeamRepositorySyncs',
      description:
        'For TEAM_ADMINs. Syncs that changed something, failed or were asked for; newest first, at most 50.',
      response: syncsSchema,
      example: { params: { id: 2 }, response: { syncs: [syncExample] } },
      errors,
    },
    handle: async ({ actor, params }, { repositories }) => ({
      syncs: (await repositories.syncs(actor, params.id)).map(presentSync),
    }),
  }),
];

function settingsOf({
  credential_id: credentialId,
  host_keys: hostKeys,
  ...rest
}: RepositoryBody): RepositorySettings {
  return { ...rest, credentialId, hostKeys };
}
