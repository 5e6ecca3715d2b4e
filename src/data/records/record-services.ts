import { createRecordService, type RecordService, type RecordServiceDeps } from './record-service.js';
import { createRecordTypeService, type RecordTypeService } from './types/record-type-service.js';

/** The services that the routes of records and record types need. */
export interface RecordServices {
  records: RecordService;
  recordTypes: RecordTypeService;
}

/** Creates the services of this folder. */
export function createRecordServices(deps: RecordServiceDeps): RecordServices {
  return { records: createRecordService(deps), recordTypes: createRecordTypeService(deps) };
}
