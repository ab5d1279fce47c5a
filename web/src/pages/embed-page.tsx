import { useDocumentTitle } from '../lib/use-document-title.ts'

/** The player alone, for frames on other sites. */
export function EmbedPage() {
  useDocumentTitle('Video')
  return <main id="main" tabIndex={-1} />
}
