import { wrong } from '../field-errors.ts'
import { accountErrors } from './errors.ts'
import { errors } from '../errors.ts'
import { z } from 'zod'
import { apiTokenMaxDays, apiTokenNameMaxCharacters, apiTokensPerAccount } from '../constants.ts'
import { endpoint } from '../endpoint.ts'
import { isStorable, Password } from '../text.ts'
import { tokenScopes } from './token-scopes.ts'

const auth = 'required'

export const ApiToken = z.object({
  _id: z.string(),
  name: z.string(),
  scopes: z.array(z.enum(tokenScopes)),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().nullable().describe('Null for a token that does not expire.'),
  usedAt: z.iso.datetime().nullable().describe('The last request, to the nearest minute.'),
})
export type ApiToken = z.infer<typeof ApiToken>

export const listApiTokens = endpoint({
  name: 'listApiTokens',
  tag: 'api-tokens',
  summary: 'API tokens of the caller, newest first',
  method: 'GET',
  path: '/users/tokens',
  auth,
  result: z.array(ApiToken),
  message: 'API tokens',
})

export const createApiToken = endpoint({
  name: 'createApiToken',
  tag: 'api-tokens',
  summary: `Creates an API token for programs; at most ${apiTokensPerAccount} per account. Only this response contains the token`,
  method: 'POST',
  path: '/users/tokens',
  auth,
  body: z.object({
    name: z
      .string()
      .trim()
      .min(1, wrong(errors.required, { label: 'Name' }))
      .max(apiTokenNameMaxCharacters)
      .refine(isStorable, wrong(errors.notStorable))
      .describe('Program that uses the token.'),
    scopes: z
      .array(z.enum(tokenScopes))
      .min(1, wrong(accountErrors.scopeRequired))
      .describe('`admin` needs the role of a moderator or an administrator.'),
    days: z
      .number()
      .int()
      .min(1)
      .max(apiTokenMaxDays)
      .nullable()
      .describe('Days until it expires; null for never.'),
    password: Password.describe('The current password.'),
  }),
  status: 201,
  result: ApiToken.extend({ token: z.string().describe('Send it as `Authorization: Bearer kin_…`.') }),
  message: 'API token created',
})

export const deleteApiToken = endpoint({
  name: 'deleteApiToken',
  tag: 'api-tokens',
  summary: 'Revokes an API token of the caller',
  method: 'DELETE',
  path: '/users/tokens/:tokenId',
  auth,
  params: z.object({ tokenId: z.string().min(1).max(64) }),
  result: z.null(),
  message: 'API token revoked',
})
