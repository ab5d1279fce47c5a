import { t } from '@lingui/core/macro'
import { hasRole } from '@kinora/contract/accounts/roles.ts'
import { useQuery } from '@tanstack/react-query'
import { useAuth } from '../features/accounts/sessions/use-auth.ts'
import { Checklist } from '../features/operations/administration/overview/checklist.tsx'
import { siteQuery } from '../features/operations/site/api.ts'

/** Below the text of an empty home page: who sets the site up, or for its administrators what to do first. */
export function FirstSteps() {
  const { authStatus, authData } = useAuth()
  if (authData && hasRole(authData.role, 'administrator')) return <Checklist username={authData.username} />
  return authStatus === false ? <SetupNotice /> : null
}

function SetupNotice() {
  const { data } = useQuery(siteQuery)
  return data?.isSetUp === false ? (
    <p>{t`This site is being set up. Its owner has a link in the terminal.`}</p>
  ) : null
}
