import type { PathKind } from '../platform/http/security/security-headers.ts'

/** What the site serves below a path. */
export function kindOfPath(path: string): PathKind {
  if (path === '/api' || path.startsWith('/api/')) return 'api'
  if (path.startsWith('/media/')) return 'media'
  return path.startsWith('/embed/') ? 'embed' : 'page'
}
