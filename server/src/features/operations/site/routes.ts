import { accountErrors } from '@kinora/contract/accounts/errors.ts'
import * as contract from '@kinora/contract/operations/site.ts'
import type { WebContext } from '../../../context/context.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { addressKey } from '@kinora/platform/client-address.ts'
import { readPictures } from '@kinora/platform/http/bodies/read-pictures.ts'
import { pictureSender } from '../../pictures/rules.ts'
import { requirePicture } from '../../accounts/users/rules.ts'
import { changeLogo, changeSettings } from './actions.ts'
import { hasAdministrator } from './queries.ts'
import { environmentOf } from './rules.ts'

const editable = ({ siteSettings, config }: Pick<WebContext, 'siteSettings' | 'config'>) => ({
  settings: siteSettings.current,
  fixed: siteSettings.fixed,
  environment: environmentOf(config),
})

export const siteRoutes = [
  route(contract.getSite, async (_, { siteSettings, db }: WebContext) => ({
    ...siteSettings.current,
    isSetUp: await hasAdministrator(db),
  })),

  route(contract.getPrivacy, async (_, { siteSettings, config }: WebContext) => ({
    ...siteSettings.current,
    sessionDays: config.sessionDays,
    sendsMail: config.hasMail,
    isBehindProxy: config.trustProxy > 0,
    usesBucket: config.storageUrl !== undefined,
  })),

  route(contract.getSiteSettings, async (_, context: WebContext) => editable(context)),

  route(contract.putSiteSettings, { clears: [] }, async ({ body, user }, context: WebContext) => {
    await changeSettings(context, user, body)
    return editable(context)
  }),

  route(contract.putLogo, { clears: [] }, async ({ user, request }, context: WebContext) => {
    await using form = await readPictures(request, { ...context.config, sender: addressKey(request.ip) }, [
      'logo',
    ])
    const { path } = requirePicture(form.files.logo, 'logo', accountErrors.pictureMissing)
    await changeLogo({ ...context, sender: pictureSender(request.ip, user.id) }, user, path)
    return editable(context)
  }),

  route(contract.deleteLogo, { clears: [] }, async ({ user }, context: WebContext) => {
    await changeLogo(context, user, null)
    return editable(context)
  }),
]
