import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Email, Password } from '../text.ts'

export const requestPasswordReset = endpoint({
  name: 'requestPasswordReset',
  tag: 'users',
  summary: 'Mails a link for a new password; 404 where the site sends no mail',
  method: 'POST',
  path: '/users/forgotpassword',
  auth: 'none',
  body: z.object({ email: Email.describe('Address of the account. The response is the same without one.') }),
  result: z.null(),
  message: 'If an account has this address, a mail is on its way',
})

export const resetPassword = endpoint({
  name: 'resetPassword',
  tag: 'users',
  summary: 'Sets a new password by the code of such a mail and ends every session',
  method: 'POST',
  path: '/users/resetpassword',
  auth: 'none',
  body: z.object({
    code: z.string().min(1).max(64).describe('The part of the link after `#`.'),
    newPassword: Password,
  }),
  result: z.null(),
  message: 'Password changed. Log in with the new one.',
})
