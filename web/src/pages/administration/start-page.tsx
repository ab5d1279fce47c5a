import { hasRole } from '@kinora/contract/accounts/roles.ts'
import { useQuery } from '@tanstack/react-query'
import { Navigate } from 'react-router'
import { useAuth } from '../../features/accounts/sessions/use-auth.ts'
import { toDecideQuery, totalOf } from '../../features/operations/administration/to-decide/api.ts'
import { paths } from '../../paths.ts'
import { Skeleton } from '../../ui/feedback/skeleton.tsx'
import styles from './sections.module.css'

/** The first page of the administration: what waits for a decision, or for administrators the overview where nothing does. */
export function StartPage() {
  const { authData } = useAuth()
  const isAdministrator = hasRole(authData?.role ?? 'member', 'administrator')
  const { data, isError } = useQuery({ ...toDecideQuery, enabled: isAdministrator })
  if (isAdministrator && !data && !isError) return <Skeleton className={styles['skeleton']} height={240} />
  const isDecided = isAdministrator && (!data || totalOf(data) === 0)
  return <Navigate to={paths.administrationOf(isDecided ? 'overview' : 'to-decide')} replace />
}
