import * as contract from '@kinora/contract/site.ts'
import type { WebContext } from '../../context.ts'
import { route } from '../../platform/http/routing/route.ts'
import { changeSettings } from './actions.ts'

const editable = ({ siteSettings }: Pick<WebContext, 'siteSettings'>) => ({
  settings: siteSettings.current,
  fixed: siteSettings.fixed,
})

export const siteRoutes = [
  route(contract.getSite, async (_, { siteSettings }: WebContext) => siteSettings.current),

  route(contract.getSiteSettings, async (_, context: WebContext) => editable(context)),

  route(contract.putSiteSettings, { clears: [] }, async ({ body, user }, context: WebContext) => {
    await changeSettings(context, user, body)
    return editable(context)
  }),
]
