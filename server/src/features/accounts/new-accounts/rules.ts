import { provenContributions } from '@kinora/contract/accounts/new-accounts.ts'

/** Age and contributions of an account, which decide its limits. */
export interface Standing {
  ageDays: number
  /** Comments and videos that stayed public for a day. */
  contributions: number
}

/**
 * The factor by which the limits of a new account have grown: 2 after a third of its days or contributions, 4 after two
 * thirds; undefined once nothing limits it.
 */
export function growthOf({ ageDays, contributions }: Standing, newAccountDays: number): number | undefined {
  const standing = Math.max(ageDays / newAccountDays, contributions / provenContributions)
  if (!(standing < 1)) return undefined
  if (standing < 1 / 3) return 1
  return standing < 2 / 3 ? 2 : 4
}
