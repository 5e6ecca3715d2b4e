/** Data of the bare REST server's routes; the rest of their statements is constant. */
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
