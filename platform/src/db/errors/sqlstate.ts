/** Error codes of PostgreSQL that the site treats in a way of its own (PostgreSQL manual, appendix A). */
export const sqlstate = {
  characterNotInRepertoire: '22021',
  foreignKeyViolation: '23503',
  uniqueViolation: '23505',
  deadlockDetected: '40P01',
  undefinedTable: '42P01',
  queryCanceled: '57014',
  tooManyConnections: '53300',
} as const
