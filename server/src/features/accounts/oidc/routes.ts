import * as contract from '@kinora/contract/accounts/oidc.ts'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { WebContext } from '../../../context/context.ts'
import { addressKey } from '@kinora/platform/client-address.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { newToken } from '@kinora/platform/secret-token.ts'
import { cookieOptions } from '../sessions/rules.ts'
import { completeSignIn } from '../sign-in/actions.ts'
import { getUser } from '../users/queries.ts'
import { begin, beginLink, finish, getProvider, listConnections } from './actions.ts'
import { deleteIdentity } from './queries.ts'

const cookie = 'oidc'
const cookieSeconds = 10 * 60
const browserPattern = /^[\w-]{43}$/

function readBrowser(request: FastifyRequest): string | undefined {
  const value = request.cookies[cookie]
  return value !== undefined && browserPattern.test(value) ? value : undefined
}

/** The secret of this browser, in a cookie. Tabs share it. */
function keepBrowser(request: FastifyRequest, reply: FastifyReply, { config }: WebContext): string {
  const browser = readBrowser(request) ?? newToken()
  reply.setCookie(cookie, browser, {
    path: '/api/',
    httpOnly: true,
    sameSite: 'strict',
    secure: cookieOptions(request.protocol, config).isSecure,
    maxAge: cookieSeconds,
  })
  return browser
}

export const oidcRoutes = [
  route(
    contract.beginOidcLogin,
    { clears: [] },
    async ({ params, body, request, reply }, context: WebContext) => {
      const provider = getProvider(context, params.provider)
      const browser = keepBrowser(request, reply, context)
      return { url: await begin(context, provider, { browser, userId: null, invitation: body.invitation }) }
    },
  ),

  route(
    contract.linkOidc,
    { clears: [] },
    async ({ params, body, user, request, reply }, context: WebContext) => {
      const provider = getProvider(context, params.provider)
      const browser = keepBrowser(request, reply, context)
      return { url: await beginLink(context, user, provider, { browser, password: body.password }) }
    },
  ),

  route(
    contract.finishOidc,
    { clears: [] },
    async ({ params, body, user: viewer, request, reply }, context: WebContext) => {
      const provider = getProvider(context, params.provider)
      const { query } = body
      const { user, linkedId } = await finish(context, provider, {
        query,
        browser: readBrowser(request),
        viewer,
        address: addressKey(request.ip),
      })
      if (user) await completeSignIn(context, user, { request, reply })
      const userId = user?.id ?? linkedId ?? ''
      return { user: await getUser(context.db, userId), isLinked: linkedId !== undefined }
    },
  ),

  route(contract.listOidc, ({ user }, context: WebContext) => listConnections(context, user.id)),

  route(contract.unlinkOidc, { clears: [] }, async ({ params, user }, context: WebContext) => {
    const { issuer } = getProvider(context, params.provider)
    const issuers = context.config.oidcProviders.map((each) => each.issuer)
    await deleteIdentity(context.db, user.id, { issuer, issuers })
    context.log.info({ userId: user.id, provider: params.provider }, 'provider disconnected')
    return null
  }),
]
