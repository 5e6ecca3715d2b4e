import Joi from 'joi';
import {
  type AnyRoute,
  cursorKey,
  cursorOnlyIf,
  defineRoute,
  exampleMeta,
  listSchema,
  pageKeys,
  pageLinks,
  pageMeta,
  type PageQuery,
  type RequestFacts,
  RouteResponse,
  windowOf,
} from '../../api/face.js';
import { idField } from '../../platform/http/address/path-id.js';
import { tagList } from '../settings/settings-fields.js';
import { STORY_ORDERS, STORY_SUBSETS, type StoryOrder, type StorySubset } from './story-list-store.js';
import type { ListedStory } from './story-list.js';
import { presentStoryActivity, presentListedStory, presentStory } from '../story/routes/story-presenter.js';
import { activeStorySchema, listedStorySchema, storyExample } from '../story/routes/story-schemas.js';
import type { StoryService } from '../story/story-service.js';

interface Services {
  stories: Pick<StoryService, 'list' | 'listPage' | 'listsAsObject'>;
}

interface ListQuery extends PageQuery {
  team_id?: number;
  folder_id?: number;
  search?: string;
  tags?: string[];
  filter?: StorySubset;
  order?: StoryOrder;
  include_live_activity: boolean;
}

const listQuery = Joi.object<ListQuery>({
  team_id: idField,
  folder_id: idField,
  search: Joi.string().max(255).description('Part of the name'),
  tags: tagList.description('Stories with at least one of these tags; a list or comma-separated'),
  filter: Joi.string()
    .valid(...STORY_SUBSETS)
    .description('Only stories matching this filter'),
  order: Joi.string()
    .valid(...STORY_ORDERS)
    .description('Default: newest first'),
  include_live_activity: Joi.boolean().default(false).description('Adds waiting and failed counts'),
  ...pageKeys,
  cursor: cursorOnlyIf(cursorKey('time').cursor, 'order', Joi.forbidden()),
});

const PATH = '/api/v1/stories';
const listed = Joi.array().items(listedStorySchema);
const paged = listSchema('stories', activeStorySchema);

/** The list of stories (spec §3.2). */
export const storyListRoute: AnyRoute<Services> = defineRoute<unknown, ListQuery, unknown, Services>({
  method: 'get',
  path: PATH,
  summary: 'List stories, newest first',
  query: listQuery,
  docs: {
    tag: 'Stories',
    description:
      'Without parameters: every story that the key can access, with seven keys, as an array without an envelope; the `Link` header has the URL of the object form (`rel="alternate"`). With any parameter, for a `User-Agent` that begins with `Tines/`, or with the setting `STORIES_LIST=object`: a page of whole stories as `{stories, meta}`, and the headers `Link` and `X-Total-Count`.',
    response: Joi.alternatives(listed, paged),
    example: {
      query: { per_page: 20 },
      response: { stories: [storyExample], meta: exampleMeta(PATH) },
    },
    errors: [404, 422],
  },
  async handle({ actor, query, request }, { stories }) {
    const { team_id: teamId, folder_id: folderId, filter: only } = query;
    if (!stories.listsAsObject && !asksForObject(request)) {
      const headers = { Link: `<${request.baseUrl}${PATH}?page=1>; rel="alternate"` };
      return new RouteResponse((await stories.list(actor, {})).map(presentListedStory), { headers });
    }
    const { items, ...found } = await stories.listPage(actor, {
      teamId,
      folderId,
      only,
      search: query.search,
      tags: query.tags,
      order: query.order,
      window: windowOf(query),
      withActivity: query.include_live_activity,
    });
    const headers = { 'X-Total-Count': String(found.total), Link: pageLinks(request, query, found) };
    const body = { stories: items.map(present), meta: pageMeta(request, query, found) };
    return new RouteResponse(body, { headers });
  },
});

/** The vendor's SDK, and programs on it, read the object alone and say who they are (notes/api.md, The list of stories). */
const READS_OBJECT = /^Tines\//i;

function asksForObject({ originalUrl, userAgent = '' }: RequestFacts): boolean {
  return /\?./.test(originalUrl) || READS_OBJECT.test(userAgent);
}

function present({ story, activity }: ListedStory) {
  return { ...presentStory(story), ...(activity && presentStoryActivity(activity)) };
}
