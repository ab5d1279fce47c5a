import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useAuth } from '../features/accounts/sessions/use-auth.ts'
import { MuteContext } from '../lib/mute-context.ts'
import { withMessages } from '../lib/i18n/messages.ts'

const MuteDialog = lazy(async () => ({
  default: (await withMessages('pages', () => import('../features/conversation/mutes/mute-dialog.tsx')))
    .MuteDialog,
}))

/** Lets the pages below open the dialog that mutes or blocks a person. */
export function MuteProvider({ children }: { children: ReactNode }) {
  const { authStatus } = useAuth()
  const [username, setUsername] = useState<string | null>(null)
  return (
    <MuteContext value={authStatus ? setUsername : null}>
      {children}
      {authStatus && username !== null && (
        <Suspense>
          <MuteDialog username={username} onClose={() => setUsername(null)} />
        </Suspense>
      )}
    </MuteContext>
  )
}
