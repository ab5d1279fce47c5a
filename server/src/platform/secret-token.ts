import { createHash, randomBytes } from 'node:crypto'

/** A new token for a cookie or a link: 256 random bits as 43 characters (base64url). */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** What the database keeps of a token: its SHA-256. 256 random bits are as hard to guess from a plain hash. */
export const hashOfToken = (token: string): Buffer => createHash('sha256').update(token).digest()
