import { z } from 'zod'

/** Names of controls of the sign-in page, which a button must not contain. */
const controlNames = /login|email|password|search|register/i

/** An identity provider of the setting `OIDC_PROVIDERS`. */
const Provider = z.strictObject({
  id: z.string().regex(/^[a-z0-9-]{1,32}$/, 'an id has small letters, digits and hyphens'),
  name: z
    .string()
    .min(1)
    .max(40)
    .refine(
      (name) => !controlNames.test(name),
      'a name must not contain login, email, password, search or register',
    ),
  issuer: z.url().refine(isSecure, 'an issuer begins with https://'),
  clientId: z.string().min(1),
  clientSecret: z.string().min(1).optional(),
})

/** HTTP is for tests on one machine. */
function isSecure(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  const isLocal = protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname)
  return protocol === 'https:' || isLocal
}

/** The setting as JSON. Ids and issuers name one provider each. */
export const Providers = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown
    } catch {
      context.addIssue('write a JSON array')
      return z.NEVER
    }
  })
  .pipe(z.array(Provider).max(10))
  .refine(
    (providers) =>
      new Set(providers.map(({ id }) => id)).size === providers.length &&
      new Set(providers.map(({ issuer }) => issuer)).size === providers.length,
    'each id and issuer may occur once',
  )
