import { t } from '@lingui/core/macro'
import { useQuery } from '@tanstack/react-query'
import { auditLogQuery } from '../../features/operations/administration/api.ts'
import { AuditExport } from '../../features/operations/administration/audit-export.tsx'
import { AuditTable } from '../../features/operations/administration/audit-table.tsx'
import { EntryList } from '../../features/operations/administration/entry-list.tsx'
import { useListView } from '../../features/operations/administration/use-list-view.ts'

/** Actions of moderators and administrators, for administrators. */
export function AuditLogPage() {
  const [view, setView] = useListView()
  const result = useQuery(auditLogQuery(view))
  return (
    <EntryList
      title={t`Audit log`}
      findLabel={t`Find by name, action or details`}
      emptyText={t`What moderators and administrators do appears here.`}
      view={view}
      setView={setView}
      result={result}
      bar={<AuditExport text={view.text} />}
    >
      {(entries) => <AuditTable entries={entries} />}
    </EntryList>
  )
}
