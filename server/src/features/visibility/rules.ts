import { hashOfToken } from '@kinora/platform/secret-token.ts'
import type { RawRoute } from '@kinora/platform/http/routing/raw-route.ts'
import type { FastifyRequest } from 'fastify'
import type { WebContext } from '../../context/context.ts'
import type { ShareVisit } from './queries.ts'

/** The address of a file for a visit of a share link. Playlists name their files relative to it, so these need no other. */
export const sharedPath = (path: string, visit: string): string =>
  path.replace(/^\/media\//, `/media/shared/${visit}/`)

/** The routes, and each once more for visits of share links. */
export const alsoShared = (routes: RawRoute<WebContext>[]): RawRoute<WebContext>[] =>
  routes.flatMap(({ raw, handle }) => [
    { raw, handle },
    { raw: { ...raw, path: sharedPath(raw.path, ':visit') }, handle },
  ])

/** The visit of a share link in the path of a request; undefined in other paths. */
export function shareVisitOf({ params }: FastifyRequest, now: Date): ShareVisit | undefined {
  const { visit } = params as { visit?: string }
  return visit === undefined ? undefined : { tokenHash: hashOfToken(visit), now }
}

/** Each route once more for those who edit the video, who get what was cut of it. */
export const uncutToo = (routes: RawRoute<WebContext>[]): RawRoute<WebContext>[] =>
  routes.map(({ raw, handle }) => ({ raw: { ...raw, path: raw.path.replace(':id/', ':id/uncut/') }, handle }))

/** Whether a request is for a file of a whole video, whatever was cut of it. */
export const isUncutRequest = ({ routeOptions }: FastifyRequest): boolean =>
  routeOptions.url?.includes('/:id/uncut/') ?? false
