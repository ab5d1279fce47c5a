import type { FastifyRequest } from 'fastify'
import { readSessionToken } from './session-cookie.ts'

/** Begins every API token, so that scanners for leaked secrets find one. */
export const apiTokenPrefix = 'kin_'

const bearer = /^Bearer +(?<token>kin_\S+)$/i

/** The API token of a request, valid or not. Headers of other schemes and prefixes are ignored, e.g. those of a proxy. */
export function readApiToken({ headers }: Pick<FastifyRequest, 'headers'>): string | undefined {
  return bearer.exec(headers.authorization ?? '')?.groups?.['token']
}

/** API token of a request, otherwise the token of its session. The prefix tells them apart. */
export function readCredential(request: FastifyRequest): string | undefined {
  return readApiToken(request) ?? readSessionToken(request)
}
