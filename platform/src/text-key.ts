import { createHash } from 'node:crypto'

/** Key of 43 characters under which a text of any length is stored: its SHA-256 in base64url. */
export const keyOfText = (text: string): string => createHash('sha256').update(text).digest('base64url')
