import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Email, Password, OptionalPassword } from '../text.ts'

export const requestPasswordReset = endpoint({
  name: 'requestPasswordReset',
  tag: 'passwords',
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
  tag: 'passwords',
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

export const changePassword = endpoint({
  name: 'changePassword',
  tag: 'passwords',
  summary: 'Changes the password and ends every other session',
  method: 'POST',
  path: '/users/changepass',
  auth: 'required',
  // missing fields are validated by the server's rules, in the specified order
  body: z.object({ oldPassword: OptionalPassword, newPassword: OptionalPassword }),
  result: z.null(),
  message: 'Password changed',
})
