import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Provider } from 'oidc-provider'

/** Person who signs in at the provider. */
export interface TestPerson {
  sub: string
  email?: string
  name?: string
  preferred_username?: string
}

const clientId = 'kinora'
const clientSecret = 'the secret of the client'

/** A real identity provider on a free port, which lets everybody in whom `visit` or `expect` names. */
export async function startIdentityProvider(redirectUri: string) {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const issuer = `http://127.0.0.1:${port}`
  const people = new Map<string, TestPerson>()
  let expected = ''
  const provider = new Provider(issuer, {
    clients: [{ client_id: clientId, client_secret: clientSecret, redirect_uris: [redirectUri] }],
    claims: { email: ['email'], profile: ['name', 'preferred_username'] },
    cookies: { keys: ['a key of this test'] },
    features: { devInteractions: { enabled: false } },
    ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    pkce: { required: () => true },
    interactions: { url: (_, { uid }) => `/interaction/${uid}` },
    findAccount: (_, id) => ({ accountId: id, claims: async () => ({ ...people.get(id), sub: id }) }),
    loadExistingGrant: async ({ oidc }) => {
      const grant = new oidc.provider.Grant({ clientId, accountId: oidc.session?.accountId ?? '' })
      grant.addOIDCScope('openid email profile')
      await grant.save()
      return grant
    },
  })
  provider.use(async (context, next) => {
    if (!context.path.startsWith('/interaction/')) return next()
    const accountId = context.get('x-person') || expected
    await provider.interactionFinished(context.req, context.res, { login: { accountId } })
    context.respond = false
  })
  let forges = false
  provider.use(async (context, next) => {
    await next()
    const { body } = context as { body?: { id_token?: string } }
    // Another signature of the same length.
    if (forges && body?.id_token) body.id_token = body.id_token.replace(/[\w-]{40}$/, 'A'.repeat(40))
  })
  const respond = provider.callback()
  server.on('request', (request, response) => void respond(request, response))

  return {
    /** The setting `OIDC_PROVIDERS` with this provider as `club`. */
    setting: JSON.stringify([{ id: 'club', name: 'Club', issuer, clientId, clientSecret }]),
    /** Person whom the provider finds in the next browsers that it does not know yet. */
    expect(person: TestPerson): void {
      people.set(person.sub, person)
      expected = person.sub
    },
    /** Signs a person in at the provider. Returns the query with which the browser comes back. */
    async visit(url: string, person: TestPerson): Promise<string> {
      people.set(person.sub, person)
      const cookies = new Map<string, string>()
      for (let next = new URL(url); ;) {
        const response = await fetch(next, {
          redirect: 'manual',
          headers: {
            cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
            'x-person': person.sub,
          },
        })
        for (const cookie of response.headers.getSetCookie()) {
          const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split('=')
          cookies.set(name, value)
        }
        const location = response.headers.get('location')
        if (location === null)
          throw new Error(`The provider responded ${response.status}: ${await response.text()}`)
        next = new URL(location, next)
        if (next.href.startsWith(redirectUri)) return next.search
      }
    },
    /** Whether ID tokens have a wrong signature from now on. */
    forge(isForged: boolean): void {
      forges = isForged
    },
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
