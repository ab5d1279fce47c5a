import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { PublicSite } from './site.ts'
import { Email, Password, requiredLine, Username } from '../text.ts'
import { User } from '../accounts/users.ts'

const SetupToken = z.string().min(1).max(64).describe('The part of the link after `#`.')

export const openSetup = endpoint({
  name: 'openSetup',
  tag: 'setup',
  summary: 'What a site without administrators can be given by the link that its first start prints',
  method: 'POST',
  path: '/setup/open',
  auth: 'none',
  body: z.object({ token: SetupToken }),
  result: z.object({
    settings: PublicSite,
    fixed: z.array(z.string()).describe('Those that an environment variable sets, which cannot be changed.'),
  }),
  message: 'Set-up',
})

const CompleteSetup = z.object({
  token: SetupToken,
  fullname: requiredLine('Full name', 'nameMaxCharacters'),
  email: Email,
  username: Username,
  password: Password,
  ...PublicSite.partial().shape,
})
export type CompleteSetup = z.infer<typeof CompleteSetup>

export const completeSetup = endpoint({
  name: 'completeSetup',
  tag: 'setup',
  summary: 'Creates the first administrator, with the settings of the site. Works once.',
  method: 'POST',
  path: '/setup',
  auth: 'none',
  body: CompleteSetup,
  result: User,
  status: 201,
  message: 'The site is set up',
})
