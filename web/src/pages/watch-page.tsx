import { Outlet } from 'react-router'
import { useDocumentTitle } from '../lib/use-document-title.ts'

/** One video: player, words, comments, recommendations. */
export function WatchPage() {
  useDocumentTitle('Video')
  return <Outlet />
}
