import { z } from 'zod'
import { endpoint } from '../endpoint.ts'

export const Session = z.object({
  _id: z.string(),
  device: z
    .string()
    .describe('Browser and system, e.g. `Firefox on Linux`; empty for sessions of older versions.'),
  createdAt: z.iso.datetime(),
  usedAt: z.iso.datetime().describe('The last request, to the nearest minute.'),
  isCurrent: z.boolean().describe('The session of this request.'),
})
export type Session = z.infer<typeof Session>

export const listSessions = endpoint({
  name: 'listSessions',
  tag: 'sessions',
  summary: 'Sessions of the caller, last used first',
  method: 'GET',
  path: '/users/sessions',
  auth: 'required',
  result: z.array(Session),
  message: 'Sessions',
})

export const endSession = endpoint({
  name: 'endSession',
  tag: 'sessions',
  summary: 'Ends one session of the caller',
  method: 'DELETE',
  path: '/users/sessions/:sessionId',
  auth: 'required',
  params: z.object({ sessionId: z.string().min(1).max(64) }),
  result: z.null(),
  message: 'Session ended',
})

export const endOtherSessions = endpoint({
  name: 'endOtherSessions',
  tag: 'sessions',
  summary: 'Ends every session of the caller except the one of the request',
  method: 'DELETE',
  path: '/users/sessions',
  auth: 'required',
  result: z.null(),
  message: 'Other sessions ended',
})

export const logout = endpoint({
  name: 'logout',
  tag: 'sessions',
  summary: 'Ends the session, on the server too',
  method: 'POST',
  path: '/users/logout',
  auth: 'optional',
  result: z.null(),
  message: 'Logged out',
})
