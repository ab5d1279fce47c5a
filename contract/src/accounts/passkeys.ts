import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Password } from '../text.ts'

export const Passkey = z.object({
  _id: z.string(),
  name: z.string().describe('Browser and system that created it.'),
  createdAt: z.iso.datetime(),
  usedAt: z.iso.datetime().nullable(),
})
export type Passkey = z.infer<typeof Passkey>

const base64url = (max: number) => z.string().min(1).max(max)

const credentialOf = <Response extends z.ZodType>(response: Response) =>
  z.object({
    id: base64url(1400),
    rawId: base64url(1400),
    type: z.literal('public-key'),
    response,
  })

/** Options of the Web Authentication API in its JSON form. */
const Options = z.record(z.string(), z.unknown())

export const listPasskeys = endpoint({
  name: 'listPasskeys',
  tag: 'passkeys',
  summary: 'Passkeys of the caller, newest first',
  method: 'GET',
  path: '/users/passkeys',
  auth: 'required',
  result: z.array(Passkey),
  message: 'Passkeys',
})

export const beginPasskey = endpoint({
  name: 'beginPasskey',
  tag: 'passkeys',
  summary: 'Options for `navigator.credentials.create`, in JSON; valid for five minutes',
  method: 'POST',
  path: '/users/passkeys/options',
  auth: 'required',
  body: z.object({ password: Password.describe('The current password.') }),
  result: Options,
  message: 'Options',
})

export const addPasskey = endpoint({
  name: 'addPasskey',
  tag: 'passkeys',
  summary: 'Adds the passkey that the browser created',
  method: 'POST',
  path: '/users/passkeys',
  auth: 'required',
  body: credentialOf(
    z.object({ clientDataJSON: base64url(4000), attestationObject: base64url(20_000) }),
  ).describe('The credential in its JSON form.'),
  status: 201,
  result: Passkey,
  message: 'Passkey added',
})

export const deletePasskey = endpoint({
  name: 'deletePasskey',
  tag: 'passkeys',
  summary: 'Deletes a passkey of the caller',
  method: 'DELETE',
  path: '/users/passkeys/:passkeyId',
  auth: 'required',
  params: z.object({ passkeyId: z.string().min(1).max(1400) }),
  result: z.null(),
  message: 'Passkey deleted',
})

export const beginPasskeyLogin = endpoint({
  name: 'beginPasskeyLogin',
  tag: 'passkeys',
  summary: 'Options for `navigator.credentials.get`, in JSON; valid for five minutes',
  method: 'POST',
  path: '/users/passkeylogin/options',
  auth: 'none',
  result: Options,
  message: 'Options',
})

/** The credential with which a browser signs in. */
export const PasskeyAssertion = credentialOf(
  z.object({
    clientDataJSON: base64url(4000),
    authenticatorData: base64url(4000),
    signature: base64url(4000),
    userHandle: base64url(200).optional(),
  }),
).describe('The credential in its JSON form.')
