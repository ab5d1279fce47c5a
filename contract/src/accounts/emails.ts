import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { OptionalEmail, optionalLine } from '../text.ts'
import { User } from './users.ts'
import { emailPattern } from '../constants.ts'

const MailCode = z.object({
  code: z.string().min(1).max(64).describe('The part of the link after `#`.'),
})

export const getEmailState = endpoint({
  name: 'getEmailState',
  tag: 'emails',
  summary: 'The email address of the caller, and whether it is confirmed',
  method: 'GET',
  path: '/users/email',
  auth: 'required',
  result: z.object({
    email: z.string(),
    isConfirmed: z.boolean().describe('Whether somebody opened a link in a mail to this address.'),
    isRejected: z
      .boolean()
      .describe(
        'Whether notifications are not mailed because the mail server refused the address three times.',
      ),
    newEmail: z.string().nullable().describe('The address of the account once it is confirmed.'),
  }),
  message: 'Email address',
})

export const requestEmailConfirmation = endpoint({
  name: 'requestEmailConfirmation',
  tag: 'emails',
  summary:
    'Mails a link that confirms the new address, or else the present one; 404 where the site sends no mail',
  method: 'POST',
  path: '/users/email/confirmation',
  auth: 'required',
  result: z.null(),
  message: 'The mail is on its way',
})

export const confirmEmail = endpoint({
  name: 'confirmEmail',
  tag: 'emails',
  summary: 'Confirms an address by the code of a mail, and changes the address of the account if it is new',
  method: 'POST',
  path: '/users/email/confirm',
  auth: 'none',
  body: MailCode,
  result: z.null(),
  message: 'Email address confirmed',
})

export const keepEmail = endpoint({
  name: 'keepEmail',
  tag: 'emails',
  summary:
    'Stops or undoes a change of address by the code in the mail to the previous one, and ends every session',
  method: 'POST',
  path: '/users/email/keep',
  auth: 'none',
  body: MailCode,
  result: z.null(),
  message: 'Your account keeps this address',
})

export const updateDetails = endpoint({
  name: 'updateDetails',
  tag: 'emails',
  summary: 'Changes full name or email; a field left out or empty stays as it is',
  method: 'PATCH',
  path: '/users/updatedetails',
  auth: 'required',
  body: z
    .object({
      fullname: optionalLine('Full name', 'nameMaxCharacters'),
      email: OptionalEmail.refine(
        (email) => email === undefined || emailPattern.test(email),
        'Invalid email address',
      ),
    })
    .refine((body) => body.fullname !== undefined || body.email !== undefined, {
      message: 'Please enter email or fullname to edit!',
    }),
  result: User,
  message: 'Details saved',
})
