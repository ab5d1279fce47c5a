import * as contract from '@kinora/contract/health.ts'
import type { WebContext } from '../../context.ts'
import { route } from '../../platform/http/routing/route.ts'
import { getHealth } from './actions/examine.ts'

export const healthRoutes = [route(contract.getHealth, (_, context: WebContext) => getHealth(context))]
