import type { JsonObject } from '../../platform/json.js';

/** The spelling in responses and in the database; input may use any letter case. */
export const CASE_STATUSES = ['OPEN', 'CLOSED'] as const;
export type CaseStatus = (typeof CASE_STATUSES)[number];

/** Most urgent first. */
export const CASE_PRIORITIES = ['CRITICAL', 'HIGH', 'MEDIUM', 'LOW', 'INFO'] as const;
export type CasePriority = (typeof CASE_PRIORITIES)[number];

/** Types of activities of a case (spec §7.5). */
export const ACTIVITY_TYPES = [
  'CREATED',
  'ASSIGNED',
  'UNASSIGNED',
  'STATUS_UPDATED',
  'SEVERITY_UPDATED',
  'COMMENTED',
  'DELETED_COMMENT',
  'DESCRIPTION_UPDATED',
  'TITLE_UPDATED',
  'TAGS_ADDED',
  'TAGS_REMOVED',
  'METADATA_UPDATED',
  'RECORD_RESULT_SET_ADDED',
  'RECORD_RESULT_SET_REMOVED',
  'LINKED_CASE_ADDED',
  'LINKED_CASE_REMOVED',
  'TEAM_UPDATED',
] as const;
export type ActivityType = (typeof ACTIVITY_TYPES)[number];

/** A condition for closing the case; `formula` is a formula of spec §8. */
export interface ClosureCondition {
  name: string;
  formula: string;
}

/** A case without its parts. */
export interface StoredCase {
  id: number;
  tenantId: number;
  teamId: number;
  name: string;
  description: string | null;
  status: CaseStatus;
  priority: CasePriority;
  metadata: JsonObject;
  closureConditions: ClosureCondition[];
  authorId: number | null;
  /** The user who set the author. */
  authorSetById: number | null;
  openedById: number | null;
  resolvedById: number | null;
  openedAt: Date | null;
  resolvedAt: Date | null;
  createdAt: Date;
  updatedAt: Date;
}

/** A user as cases show it. */
export interface CaseUser {
  id: number;
  firstName: string;
  lastName: string;
  email: string;
  /** Empty without a picture. */
  avatarUrl: string;
  isServiceAccount: boolean;
}

export interface CaseTag {
  id: number;
  name: string;
}

export interface CaseActivity {
  id: number;
  caseId: number;
  activityType: ActivityType;
  value: string;
  /** The user shown as the author; undefined if that user was deleted. */
  user: CaseUser | undefined;
  /** The user who wrote it, if that is not `user`. */
  actingUser: CaseUser | undefined;
  createdAt: Date;
}

export interface CaseAction {
  id: number;
  url: string;
  label: string;
  actionType: string;
  /** The text of the button; null: none was given. */
  actionText: string | null;
}

export interface LinkedCase {
  id: number;
  teamId: number;
  name: string;
}

/** A record as a case shows it: all fields of its type, in order. */
export interface CaseRecord {
  id: number;
  recordTypeId: number;
  recordTypeName: string;
  createdAt: Date;
  values: { fieldId: number; name: string; value: string | null }[];
}

/** A case with all parts that a response shows; activities and records are the first page, oldest first. */
export interface CaseView {
  stored: StoredCase;
  teamName: string;
  author: CaseUser | undefined;
  /** The user who set the author, if that is not the author. */
  authorSetBy: CaseUser | undefined;
  openedBy: CaseUser | undefined;
  resolvedBy: CaseUser | undefined;
  assignees: CaseUser[];
  tags: CaseTag[];
  activities: CaseActivity[];
  activityCount: number;
  actions: CaseAction[];
  linkedCases: LinkedCase[];
  records: CaseRecord[];
  recordCount: number;
}

/** Number of activities and of records shown inside a case (spec §7.1). */
export const CASE_PAGE = 20;

/** Maximum number of each part that one case can have; more would make its response unusable. */
export const CASE_LIMITS = {
  assignees: 100,
  tags: 200,
  actions: 100,
  linkedCases: 200,
  subscribers: 50,
  closureConditions: 50,
  metadataCharacters: 200_000,
  textCharacters: 65_535,
} as const;
