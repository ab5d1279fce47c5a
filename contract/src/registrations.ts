import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Email } from './text.ts'

const tag = 'users'

export const confirmRegistration = endpoint({
  name: 'confirmRegistration',
  tag,
  summary: 'Creates the account of a registration by the code of the mail to its address',
  method: 'POST',
  path: '/users/register/confirm',
  auth: 'none',
  body: z.object({ code: z.string().min(1).max(64).describe('The part of the link after `#`.') }),
  result: z.object({
    awaitsApproval: z
      .boolean()
      .describe('Whether a moderator has to approve the account before it signs in.'),
  }),
  message: 'Email address confirmed',
})

export const requestRegistrationMail = endpoint({
  name: 'requestRegistrationMail',
  tag,
  summary: 'Mails the link of a registration again; 404 where registrations need none',
  method: 'POST',
  path: '/users/register/mail',
  auth: 'none',
  body: z.object({
    email: Email.describe('Address of the registration. The response is the same without one.'),
  }),
  result: z.null(),
  message: 'If this address was registered, a mail is on its way',
})
