import type { TokenScope } from '@kinora/contract/accounts/token-scopes.ts'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { signInFirst } from '../../errors.ts'
import { readCredential } from '../security/api-token.ts'
import type { Authenticate, Viewer } from './route.ts'

/**
 * Need of a raw route for a viewer. `deferred`: most requests need none, and the handler calls `findViewerId` where one does,
 * so that segments and pictures cost no look-up.
 */
type RawAuth = 'none' | 'deferred' | 'optional' | 'required'

/** Names behind colons in a path, as strings. */
type PathParams<Path extends string> = Path extends `${string}:${infer Name}/${infer Rest}`
  ? Record<Name, string> & PathParams<Rest>
  : Path extends `${string}:${infer Name}`
    ? Record<Name, string>
    : unknown

interface RawNeeds<Path extends string = string, Auth extends RawAuth = RawAuth> {
  method: 'GET' | 'POST'
  /** The whole path. */
  path: Path
  auth: Auth
  /** Scope of API tokens with `optional` and `required`; null refuses them. */
  scope?: TokenScope | null
  /** A body of any type is read to its end and ignored. */
  ignoresBody?: boolean
}

interface RawInput<Path extends string = string, Auth extends RawAuth = RawAuth> {
  params: PathParams<Path>
  user: Auth extends 'required' ? Viewer : Auth extends 'optional' ? Viewer | null : undefined
  /** Id of the account of the session or API token. */
  findViewerId: Auth extends 'deferred' ? () => Promise<string | undefined> : undefined
  request: FastifyRequest
  reply: FastifyReply
}

/** A route whose response is no envelope of the API: files, feeds, playlists, segments. */
export interface RawRoute<Context> {
  raw: RawNeeds
  handle: (input: RawInput, context: Context) => Promise<unknown>
}

/** Binds a path to its handler, which sends the response or returns its body. It parses its own input. */
export function rawRoute<const Path extends string, const Auth extends RawAuth, Context>(
  raw: RawNeeds<Path, Auth>,
  handle: (input: RawInput<Path, Auth>, context: Context) => Promise<unknown>,
): RawRoute<Context> {
  return { raw, handle }
}

export function serveRaw<Context>(
  app: FastifyInstance,
  { raw, handle }: RawRoute<Context>,
  context: Context,
  authenticate: Authenticate,
  findViewerId: (credential: string | undefined) => Promise<string | undefined>,
): void {
  const { method, path: url, auth, scope = null, ignoresBody = false } = raw
  const needsViewer = auth === 'optional' || auth === 'required'
  const identify = async (request: FastifyRequest, reply: FastifyReply) => {
    request.viewer = await authenticate(request, reply, scope)
    if (auth === 'required' && !request.viewer) throw signInFirst()
  }
  app.route({
    method,
    url,
    config: { ignoresBody },
    ...(needsViewer ? { onRequest: identify } : {}),
    handler: (request, reply) => {
      const input = {
        params: request.params,
        user: needsViewer ? request.viewer : undefined,
        findViewerId: auth === 'deferred' ? () => findViewerId(readCredential(request)) : undefined,
        request,
        reply,
      }
      return handle(input, context)
    },
  })
}
