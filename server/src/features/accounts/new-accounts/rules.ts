import { provenContributions } from '@kinora/contract/accounts/new-accounts.ts'

/** Age and contributions of an account, which decide its limits. */
export interface TrackRecord {
  ageDays: number
  /** Comments and videos that stayed public for a day. */
  contributions: number
}

/**
 * The factor by which the limits of a new account have grown: 2 after a third of its days or contributions, 4 after two
 * thirds; undefined once nothing limits it.
 */
export function limitFactorOf(
  { ageDays, contributions }: TrackRecord,
  newAccountDays: number,
): number | undefined {
  const progress = Math.max(ageDays / newAccountDays, contributions / provenContributions)
  if (!(progress < 1)) return undefined
  if (progress < 1 / 3) return 1
  return progress < 2 / 3 ? 2 : 4
}
