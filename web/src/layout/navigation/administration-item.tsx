import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { toDecideQuery, totalOf } from '../../features/operations/administration/to-decide/api.ts'
import { paths } from '../../paths.ts'
import { NavItem } from './nav-item.tsx'

/** The way to the administration, with the number of things that wait there. Only moderators load it. */
export function AdministrationItem({
  className,
  onNavigate,
}: {
  className: string
  onNavigate: (() => void) | undefined
}) {
  const { data: waiting } = useQuery(toDecideQuery)
  const count = waiting ? totalOf(waiting) : 0
  return (
    <NavItem
      icon={ShieldCheck}
      label={t`Administration`}
      to={() => paths.administration()}
      covers={/^\/administration\//}
      count={count}
      note={count > 0 ? t`${{ count }} to decide` : undefined}
      className={className}
      onNavigate={onNavigate}
    />
  )
}
