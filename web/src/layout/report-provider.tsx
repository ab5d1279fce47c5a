import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useAuth } from '../features/accounts/sessions/use-auth.ts'
import { type Reportable, ReportContext } from '../lib/report-context.ts'
import { withMessages } from '../lib/i18n/messages.ts'

const ReportDialog = lazy(async () => ({
  default: (await withMessages('pages', () => import('../features/operations/reports/report-dialog.tsx')))
    .ReportDialog,
}))

/** Lets the pages below open the dialog that reports something to the moderators. */
export function ReportProvider({ children }: { children: ReactNode }) {
  const { authStatus } = useAuth()
  const [subject, setSubject] = useState<Reportable | null>(null)
  return (
    <ReportContext value={authStatus ? setSubject : null}>
      {children}
      {authStatus && subject && (
        <Suspense>
          <ReportDialog subject={subject} onClose={() => setSubject(null)} />
        </Suspense>
      )}
    </ReportContext>
  )
}
