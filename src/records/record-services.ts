import { createRecordService, type RecordService, type RecordServiceDeps } from './record-service.js';
import { createRecordTypeService, type RecordTypeService } from './types/record-type-service.js';

/** What the routes of records and record types need. */
export interface RecordServices {
  records: RecordService;
  recordTypes: RecordTypeService;
}

/** The services of this feature. */
export function createRecordServices(deps: RecordServiceDeps): RecordServices {
  return { records: createRecordService(deps), recordTypes: createRecordTypeService(deps) };
}
