import { normalizeText } from '@kinora/contract/characters.ts'
import { usernamePattern } from '@kinora/contract/constants.ts'
import { z } from 'zod'

/** Claims of a provider about a person. */
export const Claims = z.object({
  sub: z.string().min(1).max(255),
  email: z.email().max(254).optional().catch(undefined),
  name: z.string().optional().catch(undefined),
  preferred_username: z.string().optional().catch(undefined),
})
export type Claims = z.infer<typeof Claims>

const usernameMaxCharacters = 24

/** A username of letters and digits from what the provider says; `suffix` makes another one. */
export function usernameOf({ preferred_username: preferred, email }: Claims, suffix = ''): string {
  const name = (preferred || email || '').split('@')[0] ?? ''
  const letters = normalizeText(name, 'NFKD')
    .replaceAll(/[^A-Za-z0-9]/g, '')
    .slice(0, usernameMaxCharacters)
  const username = (letters || 'member') + suffix
  return usernamePattern.test(username) ? username : `member${suffix}`
}

/** A full name in one line. */
export function fullnameOf(claims: Claims, username: string, maxCharacters: number): string {
  const name = (claims.name ?? '').replaceAll(/[\p{C}\s]+/gu, ' ').trim()
  return Array.from(name || username)
    .slice(0, maxCharacters)
    .join('')
}
