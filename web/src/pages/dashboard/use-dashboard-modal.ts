import { useOutletContext } from 'react-router'
import { useCloseModal } from '../../lib/browser/use-close-modal.ts'
import { paths } from '../../paths.ts'

/** What the dashboard gives to the modals over it. */
export type DashboardContext = {
  username: string
  /** Says on the dashboard what a modal could not do. */
  onFailure: (failure: string | undefined) => void
}

/** Ends a modal over the dashboard, which then tells what could not be done, if anything. */
export function useDashboardModal(): (failure?: string) => void {
  const { username, onFailure } = useOutletContext<DashboardContext>()
  const close = useCloseModal(paths.dashboard(username))
  return (failure) => {
    onFailure(failure)
    close()
  }
}
