import type { CaseDatabase } from './case-scene.js';
import { createCaseService } from './case-service.js';
import { createClosureFormulas } from './closure/closure-formulas.js';
import { createSubscriberService } from './notifications/subscriber-service.js';
import { createAssigneeService } from './parts/assignee-service.js';
import { createCaseActionService } from './parts/case-action-service.js';
import { createCaseRecordService } from './parts/links/case-record-service.js';
import { createCommentService } from './parts/comment-service.js';
import { createLinkedCaseService } from './parts/links/linked-case-service.js';
import { createMetadataService } from './parts/metadata-service.js';

export type CaseServices = ReturnType<typeof createCaseServices>;

/** Creates the services for the routes of cases. */
export function createCaseServices({ database }: { database: CaseDatabase }) {
  return {
    cases: createCaseService({ database, formulas: createClosureFormulas() }),
    assignees: createAssigneeService({ database }),
    comments: createCommentService({ database }),
    metadata: createMetadataService({ database }),
    records: createCaseRecordService({ database }),
    links: createLinkedCaseService({ database }),
    actions: createCaseActionService({ database }),
    subscribers: createSubscriberService({ database }),
  };
}
