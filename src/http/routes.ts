import { storyRoutes } from '../stories/story-routes.js';
import type { StoryService } from '../stories/story-service.js';
import type { AnyRoute } from './route.js';

/** Every service that some route needs. */
export interface ApiServices {
  stories: StoryService;
}

/** THE list of the REST API's endpoints. */
export const ROUTES: readonly AnyRoute<ApiServices>[] = [...storyRoutes];
