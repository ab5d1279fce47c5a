import { useOutletContext } from 'react-router'
import { useCloseModal } from '../../lib/browser/use-close-modal.ts'
import { paths } from '../../paths.ts'

/** Outlet context of the dialogs over the dashboard. */
export type DashboardContext = {
  username: string
  /** Shows the failure of a dialog on the dashboard. */
  onFailure: (failure: string | undefined) => void
}

/** Returns a function that closes the dialog and shows its failure, if any, on the dashboard. */
export function useDashboardModal(): (failure?: string) => void {
  const { username, onFailure } = useOutletContext<DashboardContext>()
  const close = useCloseModal(paths.dashboard(username))
  return (failure) => {
    onFailure(failure)
    close()
  }
}
