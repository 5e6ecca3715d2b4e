/** What the routes of the bare REST server work on; everything else of their statements is constant. */
export interface RestWorld {
  keyDigest: string;
  tenantId: number;
  teamId: number;
  userId: number;
  userEmail: string;
  keyId: number;
  typeId: number;
  fieldIds: { storyName: number; host: number; score: number; severity: number; note: number };
}
