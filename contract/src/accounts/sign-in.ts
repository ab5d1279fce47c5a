import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { OptionalEmail, Password } from '../text.ts'
import { PasskeyAssertion } from './passkeys.ts'
import { SecondFactorCode } from './second-factor.ts'
import { User } from './users.ts'

export const login = endpoint({
  name: 'login',
  tag: 'sign-in',
  summary: 'Signs in by email or username, without regard to case',
  method: 'POST',
  path: '/users/login',
  auth: 'none',
  encoding: 'form',
  body: z
    .object({
      email: OptionalEmail.describe('Email or username.'),
      username: OptionalEmail.describe('Alias of `email`.'),
      password: Password,
      code: SecondFactorCode.optional().describe(
        'For accounts with a second factor. Without it, they get 401 with the code `second_factor_required`.',
      ),
    })
    .refine((body) => body.email !== undefined || body.username !== undefined, {
      path: ['email'],
      message: 'Email is required',
      // Zod skips this check after other errors; here it also runs if only the password is wrong, to report both.
      when: ({ issues }) => issues.every(({ path }) => path?.[0] === 'password'),
    }),
  result: z.object({ user: User }),
  message: 'Logged in',
})

export const loginWithPasskey = endpoint({
  name: 'loginWithPasskey',
  tag: 'sign-in',
  summary: 'Signs in by a passkey, without password and second factor',
  method: 'POST',
  path: '/users/passkeylogin',
  auth: 'none',
  body: PasskeyAssertion,
  result: z.object({ user: User }),
  message: 'Logged in',
})
