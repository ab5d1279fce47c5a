import * as argon2 from '@node-rs/argon2'
import { normalizeText } from '@kinora/contract/characters.ts'
import pLimit from 'p-limit'
import type { Config } from '../../../../context/config.ts'

/** Has the parameters of the configuration's default, so that checking it takes as long as checking another one. */
const nobodysHash =
  '$argon2id$v=19$m=19456,t=2,p=1$ci4obYKsGFU4oiOqA52IOw$FLN08gVKOU3Bu5e/7m+XgY9vimeoja6lRzBNWeWCag0'

/** Passwords hashed at a time: two of libuv's four threads stay free for reading files. */
const limitHashing = pLimit(2)

/** One form of letters that keyboards write as one character or two, such as `ä` (NIST SP 800-63B, 3.1.1.2). */
const normalize = (password: string) => normalizeText(password, 'NFC')

export const hashPassword = ({ passwordHashing }: Pick<Config, 'passwordHashing'>, password: string) =>
  limitHashing(() => argon2.hash(normalize(password), passwordHashing))

export async function verifyPassword(passwordHash: string, password: string): Promise<boolean> {
  const verify = (text: string) => limitHashing(() => argon2.verify(passwordHash, text))
  const normalized = normalize(password)
  // hashes from before passwords were normalized have the text as it was typed
  return (await verify(normalized)) || (normalized !== password && (await verify(password)))
}

/** As `verifyPassword`; without a hash it takes as long, and is false. */
export async function verifyAnyPassword(
  passwordHash: string | undefined,
  password: string,
): Promise<boolean> {
  const isRight = await verifyPassword(passwordHash ?? nobodysHash, password)
  return isRight && passwordHash !== undefined
}
