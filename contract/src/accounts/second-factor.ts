import { wrong } from '../field-errors.ts'
import { accountErrors } from './errors.ts'
import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Password } from '../text.ts'

/** A code of an authenticator app, or a recovery code. */
export const SecondFactorCode = z.string().trim().min(1, wrong(accountErrors.codeRequired)).max(64)

export const getSecondFactor = endpoint({
  name: 'getSecondFactor',
  tag: 'second-factor',
  summary: 'Whether the caller signs in with an authenticator app, too',
  method: 'GET',
  path: '/users/secondfactor',
  auth: 'required',
  result: z.object({
    isOn: z.boolean(),
    recoveryCodesLeft: z.number().int().min(0),
  }),
  message: 'Second factor',
})

export const beginSecondFactor = endpoint({
  name: 'beginSecondFactor',
  tag: 'second-factor',
  summary: 'Creates a secret for an authenticator app, which counts once it is confirmed',
  method: 'POST',
  path: '/users/secondfactor',
  auth: 'required',
  body: z.object({ password: Password.describe('The current password.') }),
  result: z.object({
    secret: z.string().describe('In base32, to type into the app.'),
    uri: z.string().describe('The same as an `otpauth:` address, for a QR code.'),
  }),
  message: 'Secret created',
})

export const confirmSecondFactor = endpoint({
  name: 'confirmSecondFactor',
  tag: 'second-factor',
  summary: 'Confirms the secret with a first code of the app. From now on, signing in needs one',
  method: 'PUT',
  path: '/users/secondfactor',
  auth: 'required',
  body: z.object({ code: SecondFactorCode }),
  result: z.object({
    recoveryCodes: z.array(z.string()).describe('Each works once in place of a code. Not shown again.'),
  }),
  message: 'Second factor turned on',
})

export const removeSecondFactor = endpoint({
  name: 'removeSecondFactor',
  tag: 'second-factor',
  summary: 'Signs the caller in by the password alone again',
  method: 'POST',
  path: '/users/secondfactor/remove',
  auth: 'required',
  body: z.object({ password: Password.describe('The current password.') }),
  result: z.null(),
  message: 'Second factor turned off',
})
