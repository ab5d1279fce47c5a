import { createHash, randomBytes } from 'node:crypto'

/** A new token for a cookie or a link: 256 random bits as 43 characters (base64url). */
export const newToken = (): string => randomBytes(32).toString('base64url')

/** A text for logs and traces, with a dash for each token: some addresses contain one. */
export const withoutTokens = (text: string): string => text.replaceAll(/(?<![\w-])[\w-]{43}(?![\w-])/g, '-')

/** SHA-256 of a token, which the database stores instead of it. A plain hash of 256 random bits is as hard to guess. */
export const hashOfToken = (token: string): Buffer => createHash('sha256').update(token).digest()
