import type { Database } from '../db/database.js';
import type { TenantQuotas } from '../quotas/tenant-quotas.js';
import { createRecordService, type RecordService } from './record-service.js';
import { createRecordTypeService, type RecordTypeService } from './record-type-service.js';

/** What the routes of records and record types need. */
export interface RecordServices {
  records: RecordService;
  recordTypes: RecordTypeService;
}

/** The services of this feature. */
export function createRecordServices(deps: {
  database: Pick<Database, 'read' | 'transaction' | 'facts'>;
  quotas?: Pick<TenantQuotas, 'requireRecord'>;
}): RecordServices {
  return { records: createRecordService(deps), recordTypes: createRecordTypeService(deps) };
}
