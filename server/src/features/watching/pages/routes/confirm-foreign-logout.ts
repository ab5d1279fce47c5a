import type { FastifyInstance } from 'fastify'
import { endsSession } from '../rules/page.ts'

/** A link on another site must not end a session: the page asks for confirmation. */
export function confirmForeignLogout(app: FastifyInstance): void {
  app.addHook('onRequest', async ({ url, headers }, reply) => {
    const isForeign = /^(cross|same)-site$/.test(String(headers['sec-fetch-site']))
    if (isForeign && endsSession(url)) return reply.redirect('/logout?confirm', 303)
    return undefined
  })
}
