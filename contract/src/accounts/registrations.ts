import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { Email, Password, Username, requiredLine } from '../text.ts'
import { User } from './users.ts'

const Hex = z
  .string()
  .regex(/^([0-9a-f]{2})+$/)
  .max(128)

/** A challenge of ALTCHA, version 2. */
export const RegistrationChallenge = z.object({
  parameters: z.object({
    algorithm: z.string().max(32).describe('How a key is derived: `PBKDF2/SHA-256`.'),
    nonce: Hex.describe('Password of the derivation, followed by the counter as four bytes, big endian.'),
    salt: Hex,
    cost: z.number().int().describe('Iterations of the derivation.'),
    keyLength: z.number().int().describe('Bytes of a key.'),
    keyPrefix: Hex.describe('First bytes of the key of the counter to find.'),
    keySignature: Hex,
    expiresAt: z.number().int().describe('Seconds since 1970.'),
  }),
  signature: Hex,
})
export type RegistrationChallenge = z.infer<typeof RegistrationChallenge>

/** Text fields of a registration, where the site asks for them. */
export const ProofOfWork = z.object({
  challenge: RegistrationChallenge,
  solution: z.object({ counter: z.number().int(), derivedKey: Hex }),
})

export const getRegistrationChallenge = endpoint({
  name: 'getRegistrationChallenge',
  tag: 'registrations',
  summary: 'A challenge for one registration, valid for half an hour; 404 where registrations need none',
  method: 'GET',
  path: '/users/register/challenge',
  auth: 'none',
  result: RegistrationChallenge,
  message: 'Challenge',
})

export const confirmRegistration = endpoint({
  name: 'confirmRegistration',
  tag: 'registrations',
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
  tag: 'registrations',
  summary: 'Mails the link of a registration again; 404 where registrations need none',
  method: 'POST',
  path: '/users/register/mail',
  auth: 'none',
  body: z.object({
    email: Email.describe('Address of the registration. The response is the same without one.'),
    username: z.string().trim().min(1).max(200).describe('Username of the registration.'),
  }),
  result: z.null(),
  message: 'If this address was registered, a mail is on its way',
})

export const register = endpoint({
  name: 'register',
  tag: 'registrations',
  summary: 'Creates an account',
  method: 'POST',
  path: '/users/register',
  auth: 'none',
  body: z.object({
    fullname: requiredLine('Full name', 'nameMaxCharacters'),
    email: Email,
    username: Username,
    password: Password,
    invitation: z
      .string()
      .trim()
      .max(64)
      .default('')
      .describe('Id of an invitation, where the site asks for one.'),
    proofOfWork: z
      .string()
      .max(2000)
      .default('')
      .describe(
        'JSON of `{ challenge, solution: { counter, derivedKey } }`, where the site asks for it: a solved challenge of `/users/register/challenge`.',
      ),
  }),
  files: {
    avatar: { required: true, description: 'Profile picture' },
    coverImage: { required: false, description: 'Cover picture' },
  },
  result: User,
  status: 201,
  message: 'Account created',
})
