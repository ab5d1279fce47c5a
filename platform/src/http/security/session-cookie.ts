import type { FastifyReply, FastifyRequest } from 'fastify'

const name = 'session'
/** 256 random bits in base64url. */
const tokenPattern = /^[\w-]{43}$/

/** The token a request carries; undefined when there is none or it cannot be one of ours. */
export function readSessionToken(request: FastifyRequest): string | undefined {
  const token = request.cookies[name]
  return token !== undefined && tokenPattern.test(token) ? token : undefined
}

/** Hands the browser its token. `isSecure` keeps the cookie off unencrypted connections. */
export function setSessionCookie(
  reply: FastifyReply,
  token: string,
  options: { maxAgeSeconds: number; isSecure: boolean },
): void {
  reply.setCookie(name, token, {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: options.isSecure,
    maxAge: options.maxAgeSeconds,
  })
}

export function clearSessionCookie(reply: FastifyReply): void {
  reply.clearCookie(name, { path: '/', httpOnly: true, sameSite: 'lax' })
}
