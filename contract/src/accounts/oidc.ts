import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { OptionalPassword } from '../text.ts'
import { User } from './users.ts'

const params = z.object({ provider: z.string().min(1).max(32).describe('Id of an identity provider.') })
const Redirect = z.object({ url: z.string().describe('Where the browser continues.') })

export const beginOidcLogin = endpoint({
  name: 'beginOidcLogin',
  tag: 'oidc',
  summary: 'Begins a sign-in at an identity provider',
  method: 'POST',
  path: '/users/oidc/:provider/begin',
  auth: 'none',
  params,
  body: z.object({
    invitation: z
      .string()
      .trim()
      .max(64)
      .default('')
      .describe('For a new account, where the site asks for one.'),
  }),
  result: Redirect,
  message: 'Continue at the provider',
})

export const linkOidc = endpoint({
  name: 'linkOidc',
  tag: 'oidc',
  summary: 'Begins to connect the account with one at an identity provider',
  method: 'POST',
  path: '/users/oidc/:provider/link',
  auth: 'required',
  params,
  body: z.object({ password: OptionalPassword.describe('The current password, if the account has one.') }),
  result: Redirect,
  message: 'Continue at the provider',
})

export const finishOidc = endpoint({
  name: 'finishOidc',
  tag: 'oidc',
  summary: 'Signs in or connects the account by the response of an identity provider',
  method: 'POST',
  path: '/users/oidc/:provider/finish',
  auth: 'optional',
  params,
  body: z.object({
    query: z.string().min(1).max(8000).describe('The query with which the provider sent the browser back.'),
  }),
  result: z.object({ user: User, isLinked: z.boolean().describe('Connected; false for a sign-in.') }),
  message: 'Signed in',
})

/** An identity provider as the owner of an account sees it. */
export const OidcConnection = z.object({
  provider: z.string(),
  name: z.string(),
  linkedAt: z.iso.datetime().nullable().describe('Null where the account is not connected.'),
  usedAt: z.iso.datetime().nullable(),
})
export type OidcConnection = z.infer<typeof OidcConnection>

export const listOidc = endpoint({
  name: 'listOidc',
  tag: 'oidc',
  summary: 'Identity providers of the site, and which of them the account is connected with',
  method: 'GET',
  path: '/users/oidc',
  auth: 'required',
  result: z.object({
    hasPassword: z.boolean().describe('False for accounts that a provider created, until they set one.'),
    providers: z.array(OidcConnection),
  }),
  message: 'Identity providers',
})

export const unlinkOidc = endpoint({
  name: 'unlinkOidc',
  tag: 'oidc',
  summary: 'Disconnects the account from an identity provider, unless nothing else signs it in',
  method: 'DELETE',
  path: '/users/oidc/:provider',
  auth: 'required',
  params,
  result: z.null(),
  message: 'Disconnected',
})
