import { useSettings } from '../lib/settings.ts'

/**
 * Names the page in the tab and the history: "About · Kinora", with the name of the site, as the server names it. React inserts a title above those
 * that are there already, and browsers show the first, so the innermost of nested pages counts. Render it from the
 * beginning, with a title that arrives later.
 */
export function PageTitle({ title }: { title?: string | undefined }) {
  const { siteName } = useSettings()
  return <title>{title ? `${title} · ${siteName}` : siteName}</title>
}
