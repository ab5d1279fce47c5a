import { customAlphabet } from 'nanoid'

/** A random id of 16 letters and digits (95 bits): not guessable, safe in URLs and file names. */
export const newId = customAlphabet('0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz', 16)
