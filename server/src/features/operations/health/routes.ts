import * as contract from '@kinora/contract/operations/health.ts'
import type { WebContext } from '../../../context/context.ts'
import { route } from '@kinora/platform/http/routing/route.ts'
import { getHealth } from './actions/examine.ts'

export const healthRoutes = [route(contract.getHealth, (_, context: WebContext) => getHealth(context))]
